import { flutterwave } from '../../../domain/providers/flutterwave/provider.ts';
import { monnify } from '../../../domain/providers/monnify/provider.ts';
import { paystack } from '../../../domain/providers/paystack/provider.ts';
import type { Reply } from './calls.ts';
import { describeFailures } from './failures.ts';
import { bad, credentials as flutterwaveCredentials } from './flutterwave/examples.ts';
import { credentials as monnifyCredentials, no, ok } from './monnify/examples.ts';
import { secretKey } from './paystack/examples.ts';

const paystackNo = (message: string, type: string, code: string) => ({
  ...{ status: false, message, type, code },
});

describeFailures(
  paystack,
  { secret_key: secretKey },
  {
    failure: { status: false, message: 'Something went wrong' },
    wrongKey: { status: false, message: 'Invalid key' },
    unclear: [
      [400, paystackNo('The bank did not answer', 'processor_error', 'processor_error')],
      [400, paystackNo('An error occurred', 'api_error', 'unknown')],
      [400, paystackNo('Some new kind of error', 'another_error', 'invalid_params')],
      [409, paystackNo('A request is in progress', 'api_error', 'conflict')],
    ],
    refusals: {
      create: [
        [400, paystackNo('Email Address is required', 'validation_error', 'missing_params')],
        [400, { status: false, message: 'Invalid Amount Sent' }],
      ],
      refund: [
        [
          400,
          paystackNo('Transaction has been fully reversed', 'api_error', 'transaction_reversed'),
        ],
        [422, paystackNo('Invalid Refund state', 'validation_error', 'invalid_params')],
      ],
    },
    login: null,
  },
);
describeFailures(flutterwave, flutterwaveCredentials, {
  failure: bad('Something went wrong'),
  wrongKey: bad('Authorization required'),
  unclear: [
    [400, bad('An error occurred. Please contact support')],
    [400, bad('Something went wrong')],
    [400, bad('Request timed out')],
    [409, bad('A refund is in progress')],
  ],
  refusals: {
    create: [[400, bad('tx_ref is required')]],
    refund: [[400, bad('Refund amount is more than the amount left on the transaction')]],
  },
  login: null,
});
describeFailures(monnify, monnifyCredentials, {
  failure: no('Something went wrong'),
  wrongKey: no('Access token expired'),
  unclear: [
    ...[400, 422].flatMap((status): Reply[] => [
      [status, no('Error occurred while processing your request')],
      [status, no('There was an error processing the request, Please try again later...')],
      [status, no('System error. Contact support.', 'M01')],
      [status, no('System error. Contact support.', 'M02')],
    ]),
    [422, no('Some new refusal', 'R99')],
    [409, no('A request is in progress')],
  ],
  refusals: {
    create: [
      [422, no('Could not find specified contract')],
      [400, no('The request could not be completed due to malformed syntax.')],
    ],
    refund: [[422, no('No', 'R2')]],
  },
  login: { path: '/api/v1/auth/login', answer: ok({ accessToken: 'token-1', expiresIn: 3600 }) },
});
