import { expect } from 'chai';
import {
  hashesOf,
  hashPassword,
  newKey,
  newPassword,
  newWebhookSecret,
  PASSWORD_COST,
  parseCredential,
  unmatchableHash,
} from '../../../../domain/accounts/token/credentials.ts';
import { sha256Of } from '../../../../domain/shared/sha256.ts';
import { cheapPasswords } from '../../../support/passwords.ts';

describe('An API key', () => {
  it('has the prefix of its kind and mode', () => {
    for (const [kind, prefix] of [
      ['secret', 'sk'],
      ['public', 'pk'],
    ] as const)
      for (const mode of ['test', 'live'] as const) {
        const key = newKey(kind, mode);
        expect(key).to.match(new RegExp(`^svc_${prefix}_${mode}_[0-9a-z]{36}$`));
        expect(parseCredential(key)).to.deep.equal({ kind, mode, sha256: sha256Of(key) });
      }
  });

  it('is stored as its SHA-256', () => {
    expect(sha256Of('abc')).to.equal(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('is distinguished from text that looks like one', () => {
    const key = newKey('secret', 'live');
    const cut = ['', 'svc_sk_live_', key.slice(0, -1), `${key}a`, ` ${key}`, `${key}\n`];
    const others = [...cut, key.toUpperCase(), key.replace('live', 'prod'), 'sk_test_1'];
    for (const text of others)
      expect(parseCredential(text), JSON.stringify(text)).to.equal(undefined);
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKey('public', 'test'))).size).to.equal(
      1_000,
    );
  });
});

describe('A webhook secret', () => {
  it('is whsec_ and 32 bytes in base64', () => {
    const secret = newWebhookSecret();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).to.have.length(32);
  });
});

describe('A password', () => {
  const passwordMatches = async (password: string, hash: string) =>
    (await hashesOf(password, [hash])).has(hash);

  it('matches its own hash and no other', async () => {
    const stored = await hashPassword('correct horse', cheapPasswords);
    expect(stored)
      .to.match(/^argon2id\$64\$1\$1\$/)
      .and.not.include('horse');
    expect(await passwordMatches('correct horse', stored)).to.equal(true);
    for (const wrong of ['correct horse ', 'Correct horse', ''])
      expect(await passwordMatches(wrong, stored), wrong).to.equal(false);
  });

  it('has the cost that RFC 9106 recommends, unless another is given', async () => {
    expect(PASSWORD_COST).to.deep.equal({ memory: 65_536, passes: 3, parallelism: 4 });
    expect(await hashPassword('any')).to.match(/^argon2id\$65536\$3\$4\$/);
    expect(unmatchableHash()).to.match(/^argon2id\$65536\$3\$4\$/);
  });

  it('is the same for composed and decomposed letters', async () => {
    expect(
      await passwordMatches(
        'cr\u0065\u0300me bru\u0302le\u0301e',
        await hashPassword('cr\u00e8me br\u00fbl\u00e9e', cheapPasswords),
      ),
    ).to.equal(true);
  });

  it('never matches the unmatchable hash, which costs as much as any other', async () => {
    const shape = (hash: string) =>
      hash.split('$').map((part, index) => (index < 4 ? part : part.length));
    expect(shape(unmatchableHash(cheapPasswords))).to.deep.equal(
      shape(await hashPassword('any', cheapPasswords)),
    );
    expect(await passwordMatches('', unmatchableHash(cheapPasswords))).to.equal(false);
  });

  it('is salted: hashing it twice gives two hashes', async () => {
    const hash = () => hashPassword('same', cheapPasswords);
    expect(await hash()).not.to.equal(await hash());
  });

  it('uses the salt of another hash of the same cost, and of no other', async () => {
    const salt = (hash: string) => hash.split('$')[4];
    const first = await hashPassword('one', cheapPasswords);
    expect(salt(await hashPassword('two', cheapPasswords, first))).to.equal(salt(first));
    const dearer = { ...cheapPasswords, memory: 128 };
    expect(salt(await hashPassword('two', dearer, first))).not.to.equal(salt(first));
  });

  it('is found among hashes of several salts', async () => {
    const first = await hashPassword('one', cheapPasswords);
    const sameSalt = await hashPassword('two', cheapPasswords, first);
    const other = await hashPassword('two', cheapPasswords);
    const found = await hashesOf('two', [first, sameSalt, other]);
    expect([...found]).to.have.members([sameSalt, other]);
  });

  it('generated for a new member is long and unique', () => {
    expect(newPassword())
      .to.match(/^[\w-]{20}$/)
      .and.not.equal(newPassword());
  });
});
