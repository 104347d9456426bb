import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Its id is part of every value it sealed, so that keys can be rotated. */
export interface MasterKey {
  id: string;
  key: Buffer;
}

/** Copied to another owner, a value does not open. */
export interface SealedFor {
  table: string;
  row: string;
  tenant: string;
  mode: string;
}

/** AES-256-GCM, for what must not be readable from the database alone. */
export interface Vault {
  readonly currentKey: string;
  seal(plain: string, owner: SealedFor): string;
  /** Throws when the value was changed, is another owner's, or its key is missing. */
  open(sealed: string, owner: SealedFor): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The first key seals, every key opens: `<key id>.<base64url of nonce, tag, ciphertext>`. */
export function openVault(
  masterKeys: MasterKey[],
  random: (size: number) => Buffer = randomBytes,
): Vault {
  // Key objects, made once: with bare bytes each value takes Node twice as long.
  const keys = masterKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const [current] = keys;
  if (!current) throw new Error('A vault needs at least one master key.');
  return {
    currentKey: current.id,
    seal(plain, owner) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(associatedData(owner));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, owner) {
      const id = keyOf(sealed);
      const text = sealed.slice(id.length + 1);
      const found = keys.find((candidate) => candidate.id === id);
      if (!found)
        throw new Error(
          `No master key "${id}": it sealed a value of ${owner.table} ${owner.row}. Add it back to MASTER_KEY.`,
        );
      return decrypt(found.key, Buffer.from(text, 'base64url'), owner);
    },
  };
}

export function keyOf(sealed: string): string {
  return sealed.split('.', 1)[0]!;
}

/** A shorter tag would be easier to guess. */
function decrypt(key: KeyObject, sealed: Buffer, owner: SealedFor): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(associatedData(owner))
      .setAuthTag(tag);
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch (cause) {
    throw new Error(
      `A sealed value of ${owner.table} ${owner.row} does not open: it was changed, or belongs elsewhere.`,
      { cause },
    );
  }
}

function associatedData({ table, row, tenant, mode }: SealedFor): Buffer {
  return Buffer.from(JSON.stringify([table, row, tenant, mode]));
}
