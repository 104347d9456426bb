import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { verifyWebhook } from '../index.js';
import { print } from './print.js';
import { UsageError } from './usage-error.js';

/** Prints the event whose body comes on stdin, if its signature fits. */
export async function verify(args) {
  const { values } = parseArgs({
    args,
    options: {
      signature: { type: 'string' },
      secret: { type: 'string', default: process.env.WEBHOOK_SECRET ?? '' },
      'tolerance-seconds': { type: 'string', default: '300' },
    },
  });
  const { signature, secret, 'tolerance-seconds': tolerance } = values;
  if (!signature || !secret)
    throw new UsageError('Give --signature, and --secret or WEBHOOK_SECRET');
  const headers = { 'service-signature': signature };
  const options = { toleranceSeconds: Number(tolerance) };
  print(verifyWebhook(await text(process.stdin), headers, secret, options));
}
