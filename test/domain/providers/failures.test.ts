import { flutterwave } from '../../../domain/providers/flutterwave/provider.ts';
import { monnify } from '../../../domain/providers/monnify/provider.ts';
import { paystack } from '../../../domain/providers/paystack/provider.ts';
import { describeFailures } from './failures.ts';
import { bad, credentials as flutterwaveCredentials } from './flutterwave/examples.ts';
import { credentials as monnifyCredentials, no, ok } from './monnify/examples.ts';
import { secretKey } from './paystack/examples.ts';

describeFailures(
  paystack,
  { secret_key: secretKey },
  {
    failure: { status: false, message: 'Something went wrong' },
    wrongKey: { status: false, message: 'Invalid key' },
    login: null,
  },
);
describeFailures(flutterwave, flutterwaveCredentials, {
  failure: bad('Something went wrong'),
  wrongKey: bad('Authorization required'),
  login: null,
});
describeFailures(monnify, monnifyCredentials, {
  failure: no('Something went wrong'),
  wrongKey: no('Access token expired'),
  login: {
    path: '/api/v1/auth/login',
    answer: ok({ accessToken: 'token-1', expiresIn: 3600 }),
  },
});
