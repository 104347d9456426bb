import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** One master key: its id stands in every value it sealed, so that keys can be rotated. */
export interface MasterKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** What a sealed value belongs to: moved to another row, tenant or mode it no longer opens. */
export interface SealedFor {
  table: string;
  row: string;
  tenant: string;
  mode: string;
}

/** Seals what must not be read from the database alone (credentials, secrets, raw payloads): AES-256-GCM. */
export interface Vault {
  seal(plain: string, owner: SealedFor): string;
  /** Throws when the value was changed, belongs elsewhere, or its key is gone. */
  open(sealed: string, owner: SealedFor): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Short values that were opened lately are remembered: secrets that sign every delivery, not payloads that are read once. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED_CHARS = 1_024;

/** Opens a vault: the first key seals, every key opens. A sealed value is `<key id>.<base64url of nonce, tag, ciphertext>`. */
export function openVault(masterKeys: MasterKey[], random: (size: number) => Buffer = randomBytes): Vault {
  // Key objects, made once: given bare bytes, Node takes twice as long for each value.
  const keys = masterKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const [current] = keys;
  if (!current) throw new Error('A vault needs at least one master key.');
  const unseal = (sealed: string, owner: SealedFor) => {
    const [id, text = ''] = sealed.split('.');
    const found = keys.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`No master key "${id}": it sealed a value of ${owner.table} ${owner.row}. Add it back to MASTER_KEY.`);
    return decrypt(found.key, Buffer.from(text, 'base64url'), owner);
  };
  const opened = new LRUCache<string, string, { sealed: string; owner: SealedFor }>({
    max: MOST_REMEMBERED,
    memoMethod: (_place, _stale, { context: { sealed, owner } }) => unseal(sealed, owner),
  });
  return {
    seal(plain, owner) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(associatedText(owner)));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, owner) {
      if (sealed.length > LONGEST_REMEMBERED_CHARS) return unseal(sealed, owner);
      return opened.memo(associatedText(owner) + sealed, { context: { sealed, owner } });
    },
  };
}

/** The tag's length is fixed: a shorter one would be easier to guess. */
function decrypt(key: KeyObject, sealed: Buffer, owner: SealedFor): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(associatedText(owner)))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(`A sealed value of ${owner.table} ${owner.row} does not open: it was changed, or belongs elsewhere.`, { cause });
  }
}

function associatedText({ table, row, tenant, mode }: SealedFor): string {
  return JSON.stringify([table, row, tenant, mode]);
}
