import { numberOf } from '../../domain/shared/ids.ts';

/**
 * Fields whose values name no person and open nothing. Of any other only that it was there is
 * shown: what is added later stays hidden until it is named here.
 */
const NAMES = new Set([
  ...['id', 'object', 'data', 'status', 'mode', 'kind', 'type', 'currency', 'provider', 'channel'],
  ...['origin', 'slot', 'role', 'last4', 'limit', 'position', 'recovered', 'sandbox', 'month'],
  ...['provider_reference', 'failure_message', 'status_code'],
]);

/** Words after which a name like `expires_at` may end. */
const ENDINGS = new Set([
  ...['id', 'ids', 'kobo', 'at', 'date', 'status', 'count', 'hours', 'days', 'ms'],
  ...['last4', 'types'],
]);

/** A merchant's own reference may name a payer. */
function isShown(name: string, value: unknown): boolean {
  if (name === 'reference') return typeof value === 'string' && numberOf(value) !== undefined;
  return NAMES.has(name) || ENDINGS.has(name.slice(name.lastIndexOf('_') + 1));
}

const HIDDEN = '…';

const MAX_DEPTH = 6;
const MAX_ITEMS = 5;
const MAX_FIELDS = 60;
const MAX_BYTES = 2_000;

/** JSON of what may be shown to everybody who may develop, in at most 2,000 bytes. */
export function redacted(value: unknown): string {
  return shortened(JSON.stringify(shown(value, true, 0)));
}

export function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  // A stream leaves out the character that is cut in two.
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true })}${HIDDEN}`;
}

function shown(value: unknown, isNamed: boolean, depth: number): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return depth < MAX_DEPTH ? shownItems(value, isNamed, depth) : HIDDEN;
  if (typeof value === 'object') return depth < MAX_DEPTH ? shownFields(value, depth) : HIDDEN;
  if (!isNamed) return HIDDEN;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

function shownItems(items: readonly unknown[], isNamed: boolean, depth: number): unknown[] {
  const first = items.slice(0, MAX_ITEMS).map((item) => shown(item, isNamed, depth + 1));
  return items.length > MAX_ITEMS ? [...first, HIDDEN] : first;
}

function shownFields(fields: object, depth: number): object {
  const entries = Object.entries(fields).slice(0, MAX_FIELDS);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      withoutSecrets(name.slice(0, 100)),
      name === 'metadata' ? HIDDEN : shown(value, isShown(name, value), depth + 1),
    ]),
  );
}

/** Ids of payers' views, keys and tokens: ours, Paystack's and Monnify's. */
const NAMED = /(ct|lnk|[sp]k_(?:live|test)|hat|hrt|MK_(?:TEST|PROD))_[0-9a-z]+/gi;
/** What may hold any sign: webhook secrets, links that set a password, Flutterwave's keys. */
const OPEN_ENDED = /(whsec_|set-password\\?\/|FLWSECK(?:_TEST)?-)[^\s"]+/gi;

/** Without what grants access, wherever it stands, in JSON of JSON too. */
export function withoutSecrets(text: string): string {
  return text.replace(NAMED, '$1_…').replace(OPEN_ENDED, '$1…');
}
