import { expect } from 'chai';
import { cachingVault } from '../../../config/providers/caching-vault.ts';
import { openVault, type SealedFor, type Vault } from '../../../domain/shared/vault.ts';

const owner: SealedFor = {
  table: 'webhook_endpoints',
  row: 'whe_1',
  tenant: 'ten_1',
  mode: 'test',
};

describe('A vault that remembers', () => {
  let opened: number;
  let vault: Vault;
  beforeEach(() => {
    opened = 0;
    const real = openVault([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
    const counting: Vault = {
      currentKey: real.currentKey,
      seal: real.seal,
      sealDocument: real.sealDocument,
      open: (...value) => {
        opened++;
        return real.open(...value);
      },
    };
    vault = cachingVault(counting);
  });

  it('opens a value once', () => {
    for (const plain of ['whsec_secret', '']) {
      opened = 0;
      const sealed = vault.seal(plain, owner);
      expect([vault.open(sealed, owner), vault.open(sealed, owner), opened]).to.deep.equal([
        plain,
        plain,
        1,
      ]);
    }
  });

  it('opens it for its owner, and still not for another table, row, tenant or mode', () => {
    const sealed = vault.seal('whsec_secret', owner);
    vault.open(sealed, owner);
    const moves = [{ table: 'others' }, { row: 'whe_2' }, { tenant: 'ten_2' }, { mode: 'live' }];
    for (const other of moves as Partial<SealedFor>[])
      expect(() => vault.open(sealed, { ...owner, ...other })).to.throw('does not open');
  });

  it('remembers no refusal, no document, and nothing long', () => {
    expect(() => vault.open('k2.old', owner)).to.throw('No master key "k2"');
    expect(() => vault.open('k2.old', owner)).to.throw('No master key "k2"');
    const long = vault.seal('x'.repeat(2_000), owner);
    expect(vault.open(long, owner)).to.equal(vault.open(long, owner));
    const document = vault.sealDocument('{}', owner);
    expect(vault.open(document, owner)).to.equal(vault.open(document, owner));
    expect(opened).to.equal(6);
  });
});
