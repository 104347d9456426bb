import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Random, randomBase36 } from '../../shared/ids.ts';
import { limitConcurrency } from '../../shared/limit-concurrency.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';

export type KeyKind = 'secret' | 'public';

export type CredentialKind = KeyKind | 'member';

export interface ParsedCredential {
  kind: CredentialKind;
  /** Undefined for user tokens, which do not name their mode. */
  mode: Mode | undefined;
  sha256: string;
}

const KEY = /^svc_(sk|pk)_(live|test)_[0-9a-z]{36}$/;
const ACCESS_TOKEN = /^hat_[0-9a-z]{40}$/;

export function parseCredential(text: string): ParsedCredential | undefined {
  const key = KEY.exec(text);
  if (key)
    return {
      kind: key[1] === 'sk' ? 'secret' : 'public',
      mode: key[2] as Mode,
      sha256: sha256Of(text),
    };
  return ACCESS_TOKEN.test(text)
    ? { kind: 'member', mode: undefined, sha256: sha256Of(text) }
    : undefined;
}

/** 36 random base36 characters hold 186 bits. */
export function newKey(kind: KeyKind, mode: Mode, random: Random = randomBytes): string {
  return `svc_${kind === 'secret' ? 'sk' : 'pk'}_${mode}_${randomBase36(36, random)}`;
}

/** `hat_` gives access, `hrt_` is exchanged for the next pair: 206 random bits. */
export function newUserToken(kind: 'access' | 'refresh', random: Random = randomBytes): string {
  return `${kind === 'access' ? 'hat' : 'hrt'}_${randomBase36(40, random)}`;
}

export function newWebhookSecret(random: Random = randomBytes): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`;
}

export function newSessionToken(random: Random = randomBytes): string {
  return randomBase36(40, random);
}

/** 120 bits. */
export function newPassword(random: Random = randomBytes): string {
  return Buffer.from(random(15)).toString('base64url');
}

export function newLinkToken(random: Random = randomBytes): string {
  return randomBase36(40, random);
}

/** A hash takes 64 MiB and a third of a second of all cores, so few run at once. */
const deriveKey = limitConcurrency(promisify(argon2), { running: 2, waiting: 20 });

/** Memory in KiB. */
export interface PasswordCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** RFC 9106's second recommended setting: 64 MiB, 3 passes, 4 lanes. */
export const PASSWORD_COST: PasswordCost = { memory: 65_536, passes: 3, parallelism: 4 };
const TAG_BYTES = 32;

/**
 * True: a process can bear to derive such a hash when somebody signs in. False of more than
 * 256 MiB, of eight times the work of `PASSWORD_COST` (seconds), and of what Argon2 cannot do.
 */
export function isBearable(hash: string): boolean {
  const { memory, passes, parallelism } = partsOf(hash).cost;
  return (
    memory >= 8 * parallelism &&
    memory <= 4 * PASSWORD_COST.memory &&
    memory * passes <= 8 * PASSWORD_COST.memory * PASSWORD_COST.passes &&
    parallelism <= 64
  );
}

export function unmatchableHash(cost = PASSWORD_COST): string {
  return stored(cost, Buffer.alloc(16), Buffer.alloc(TAG_BYTES));
}

/**
 * Argon2id; the result holds salt and cost. The salt of `saltOf` is used again where its cost is
 * the same. Throws `unavailable` when too many hashes wait.
 */
export async function hashPassword(
  password: string,
  cost = PASSWORD_COST,
  saltOf?: string,
  random: Random = randomBytes,
): Promise<string> {
  const given = saltOf === undefined ? undefined : partsOf(saltOf);
  const isReused = given !== undefined && sameCost(given.cost, cost);
  const nonce = isReused ? given.nonce : Buffer.from(random(16));
  return stored(cost, nonce, await derive(password, { cost, nonce }, TAG_BYTES));
}

function sameCost(one: PasswordCost, other: PasswordCost): boolean {
  return (
    one.memory === other.memory &&
    one.passes === other.passes &&
    one.parallelism === other.parallelism
  );
}

function stored({ memory, passes, parallelism }: PasswordCost, nonce: Buffer, tag: Buffer): string {
  return [
    'argon2id',
    memory,
    passes,
    parallelism,
    nonce.toString('base64url'),
    tag.toString('base64url'),
  ].join('$');
}

/** Keyboards encode é differently: the same letters are the same password. */
function messageOf(password: string): string {
  return password.normalize('NFKC');
}

/** The matching hashes, one derivation for each salt and cost. Throws `unavailable` when busy. */
export async function hashesOf(
  password: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const bySalt = Map.groupBy(hashes, (hash) => hash.slice(0, hash.lastIndexOf('$')));
  const matching = new Set<string>();
  for (const [first, ...others] of bySalt.values()) {
    const given = await derive(password, partsOf(first!), partsOf(first!).tag.length);
    for (const hash of [first!, ...others]) {
      const { tag } = partsOf(hash);
      if (tag.length === given.length && timingSafeEqual(given, tag)) matching.add(hash);
    }
  }
  return matching;
}

interface Parts {
  cost: PasswordCost;
  nonce: Buffer;
  tag: Buffer;
}

function partsOf(hash: string): Parts {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = hash.split('$');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  };
}

function derive(
  password: string,
  { cost, nonce }: Pick<Parts, 'cost' | 'nonce'>,
  tagLength: number,
): Promise<Buffer> {
  return deriveKey('argon2id', { message: messageOf(password), nonce, ...cost, tagLength });
}
