import { expect } from 'chai';
import { redacted, withoutSecrets } from '../../../api/middleware/redact.ts';
import {
  newKey,
  newLinkToken,
  newUserToken,
  newWebhookSecret,
} from '../../../domain/accounts/token/credentials.ts';
import { newId } from '../../../domain/shared/ids.ts';

const now = new Date();
const bytes = (size: number) => Buffer.alloc(size, 0xfb); // base64 of it has + and /

/** As they are made, and what is left of them. */
const secrets: [secret: string, shown: string][] = [
  [newKey('secret', 'live'), 'svc_sk_live_…'],
  [newKey('public', 'test'), 'svc_pk_test_…'],
  [newUserToken('access'), 'hat_…'],
  [newUserToken('refresh'), 'hrt_…'],
  [newWebhookSecret(bytes), 'whsec_…'],
  [newId('ct', now), 'ct_…'],
  [newId('lnk', now), 'lnk_…'],
  [`/set-password/${newLinkToken()}`, '/set-password/…'],
  ['sk_live_9f8e7d6c5b4a', 'sk_live_…'],
  ['FLWSECK_TEST-9f8e7d-6c5b4a-X', 'FLWSECK_TEST-…'],
  ['FLWSECK-9f8e7d-6c5b4a-X', 'FLWSECK-…'],
  ['MK_PROD_9F8E7D6C5B', 'MK_PROD_…'],
];

describe('What the request log keeps', () => {
  it('is at most 2,000 bytes, cut between two characters', () => {
    for (const sign of ['a', 'é', '₦', '😀']) {
      const kept = redacted({ failure_message: sign.repeat(3_000) });
      expect(Buffer.byteLength(kept)).to.be.within(1_990, 2_000 + Buffer.byteLength('…'));
      expect(kept).to.match(new RegExp(`${sign}…$`, 'u'));
    }
  });
});

describe('Text without secrets', () => {
  for (const [secret, shown] of secrets) {
    it(`hides each ${shown} of each line, and nothing beside it`, () => {
      const text = (one: string) => `first ${one} and ${one}\nthen ${one} {"a":"${one}","b":1}`;
      expect(withoutSecrets(text(secret))).to.equal(text(shown));
    });

    it(`hides ${shown} in JSON of JSON, with slashes escaped or not`, () => {
      const nested = JSON.stringify({ message: JSON.stringify({ one: secret, two: secret }) });
      const known = secret.slice(-12);
      for (const text of [nested, nested.replaceAll('/', '\\/')])
        expect(withoutSecrets(text)).not.to.include(known).and.not.include(known.slice(-6));
      expect(redacted({ failure_message: nested })).not.to.include(known);
    });
  }
});
