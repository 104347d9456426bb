import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { documentWords } from './document-words.ts';

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
  /**
   * A provider's document, deflated first: to a quarter of its size. Not for a text that holds a
   * secret beside what others chose, which its length would tell of.
   */
  sealDocument(plain: string, owner: SealedFor): string;
  /** Throws when the value was changed, is another owner's, or its key is missing. */
  open(sealed: string, owner: SealedFor): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** No character of base64url. */
const DOCUMENT_MARK = '~';
const deflated = { dictionary: Buffer.from(documentWords) };

/**
 * The first key seals, every key opens: `<key id>.<base64url of nonce, tag, ciphertext>`, where a
 * document has a mark after the dot.
 */
export function openVault(
  masterKeys: MasterKey[],
  random: (size: number) => Buffer = randomBytes,
): Vault {
  // Key objects, made once: with bare bytes each value takes Node twice as long.
  const keys = masterKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const [current] = keys;
  if (!current) throw new Error('A vault needs at least one master key.');
  const encrypt = (plain: Buffer, owner: SealedFor, mark: string): string => {
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(associatedData(owner, mark));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]);
    return `${current.id}.${mark}${sealed.toString('base64url')}`;
  };
  return {
    currentKey: current.id,
    seal: (plain, owner) => encrypt(Buffer.from(plain), owner, ''),
    sealDocument: (plain, owner) => encrypt(deflateRawSync(plain, deflated), owner, DOCUMENT_MARK),
    open(sealed, owner) {
      const id = keyOf(sealed);
      const mark = isDocument(sealed) ? DOCUMENT_MARK : '';
      const text = sealed.slice(id.length + 1 + mark.length);
      const found = keys.find((candidate) => candidate.id === id);
      if (!found)
        throw new Error(
          `No master key "${id}": it sealed a value of ${owner.table} ${owner.row}. Add it back to MASTER_KEY.`,
        );
      const plain = decrypt(found.key, Buffer.from(text, 'base64url'), owner, mark);
      return (mark ? inflateRawSync(plain, deflated) : plain).toString('utf8');
    },
  };
}

export function keyOf(sealed: string): string {
  return sealed.split('.', 1)[0]!;
}

export function isDocument(sealed: string): boolean {
  return sealed.startsWith(DOCUMENT_MARK, keyOf(sealed).length + 1);
}

/** A shorter tag would be easier to guess. */
function decrypt(key: KeyObject, sealed: Buffer, owner: SealedFor, mark: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(associatedData(owner, mark))
      .setAuthTag(tag);
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch (cause) {
    throw new Error(
      `A sealed value of ${owner.table} ${owner.row} does not open: it was changed, or belongs elsewhere.`,
      { cause },
    );
  }
}

function associatedData({ table, row, tenant, mode }: SealedFor, mark: string): Buffer {
  return Buffer.from(JSON.stringify([table, row, tenant, mode]) + mark);
}
