import { expect } from 'chai';
import { openVault, type SealedFor } from '../../../domain/shared/vault.ts';

const owner: SealedFor = { table: 'connections', row: 'con_1', tenant: 'ten_1', mode: 'test' };
const keyOf = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const vault = openVault([keyOf('k1', 1)]);
const secret = 'sk_test_gizli ₦ 秘密';

function changed(sealed: string, change: (bytes: Buffer) => Buffer): string {
  const [id, text = ''] = sealed.split('.');
  return `${id}.${change(Buffer.from(text, 'base64url')).toString('base64url')}`;
}

describe('The vault', () => {
  it('opens what it sealed, empty and non-Latin text too', () => {
    for (const plain of ['', secret, 'x'.repeat(100_000)])
      expect(vault.open(vault.seal(plain, owner), owner)).to.equal(plain);
  });

  it('reveals nothing of the text, and seals it differently each time', () => {
    const [one, two] = [vault.seal('plain', owner), vault.seal('plain', owner)];
    expect(one)
      .to.match(/^k1\.[\w-]+$/)
      .and.not.equal(two);
    expect(Buffer.from(one.slice(3), 'base64url').includes('plain')).to.equal(false);
  });

  it('refuses a value with any byte changed', () => {
    const sealed = vault.seal('secret', owner);
    const length = Buffer.from(sealed.slice(3), 'base64url').length;
    for (let index = 0; index < length; index++) {
      const tampered = changed(sealed, (bytes) => {
        bytes[index]! ^= 1;
        return bytes;
      });
      expect(() => vault.open(tampered, owner), `byte ${index}`).to.throw('does not open');
    }
  });

  it('refuses a truncated value, also with a part of its tag', () => {
    const sealed = vault.seal('', owner);
    for (const length of [0, 5, 12, 16, 20, 27]) {
      const truncated = changed(sealed, (bytes) => bytes.subarray(0, length));
      expect(() => vault.open(truncated, owner), `${length} bytes`).to.throw('does not open');
    }
    expect(() => vault.open('k1', owner)).to.throw('does not open');
  });

  it('refuses a value moved to another table, row, tenant or mode', () => {
    const moves = [{ table: 'endpoints' }, { row: 'con_2' }, { tenant: 'ten_2' }, { mode: 'live' }];
    for (const other of moves as Partial<SealedFor>[])
      expect(
        () => vault.open(vault.seal(secret, owner), { ...owner, ...other }),
        JSON.stringify(other),
      ).to.throw('does not open');
  });

  it('distinguishes owners whose joined names are the same', () => {
    const sealed = vault.seal(secret, { ...owner, table: 'ab', row: 'c' });
    expect(() => vault.open(sealed, { ...owner, table: 'a', row: 'bc' })).to.throw('does not open');
  });

  it('opens old values after a rotation, and seals with the first key', () => {
    const old = vault.seal(secret, owner);
    const rotated = openVault([keyOf('k2', 2), keyOf('k1', 1)]);
    expect(rotated.open(old, owner)).to.equal(secret);
    expect(rotated.seal(secret, owner)).to.match(/^k2\./);
  });

  it('names a missing key once it was removed, and refuses another key under its id', () => {
    const old = vault.seal(secret, owner);
    expect(() => openVault([keyOf('k2', 2)]).open(old, owner)).to.throw(
      'No master key "k1": it sealed a value of connections con_1',
    );
    expect(() => openVault([keyOf('k1', 2)]).open(old, owner)).to.throw('does not open');
  });

  it('opens documents, which take a quarter of their size', () => {
    const plain = JSON.stringify({
      event: 'charge.success',
      data: {
        ...{
          id: 4_099_260_690,
          domain: 'live',
          status: 'success',
          reference: 'SV-100121-4xqpvoc5',
        },
        ...{ amount: 162_000, paid_at: '2026-11-26T22:06:42.097Z', channel: 'card' },
        ...{ currency: 'NGN', receipt_number: null, message: null, fees_split: null, plan: null },
        ...{ gateway_response: 'Successful', created_at: '2026-11-26T22:06:41.581Z', fees: 2_430 },
        ...{ customer: { id: 316_159_144, first_name: null, email: 'adaeze.okafor@example.com' } },
      },
    });
    for (const document of [plain, '', secret, 'x'.repeat(100_000)])
      expect(vault.open(vault.sealDocument(document, owner), owner)).to.equal(document);
    const sizes = [vault.sealDocument(plain, owner), vault.seal(plain, owner)].map(
      ({ length }) => length,
    );
    expect(sizes[0]! / sizes[1]!).to.be.below(0.5);
    const rotated = openVault([keyOf('k2', 2), keyOf('k1', 1)]);
    expect(rotated.open(vault.sealDocument(plain, owner), owner)).to.equal(plain);
  });

  it('opens documents that 1.0.0 sealed', () => {
    const sealed = 'k1.~CQkJCQkJCQkJCQkJ8k1TBXIA32zYidQwUieekmer70pXUm7BfeH_Tw';
    expect(vault.open(sealed, owner)).to.equal(
      '{"status":true,"message":"Verification successful","data":{"amount":100000}}',
    );
  });

  it('refuses a document as a plain value, and a plain value as a document', () => {
    const document = vault.sealDocument(secret, owner).replace('~', '');
    expect(() => vault.open(document, owner)).to.throw('does not open');
    const plain = vault.seal(secret, owner).replace('.', '.~');
    expect(() => vault.open(plain, owner)).to.throw('does not open');
  });

  it('requires a key', () => {
    expect(() => openVault([])).to.throw('at least one master key');
  });
});
