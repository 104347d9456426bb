/**
 * Names of fields whose values name no person and open nothing. Of any other only that it was there
 * is shown: what is added later stays hidden until it is named here.
 */
const SHOWN =
  /^(id|object|data|error|fields|code|message|status|mode|kind|type|event_types|currency|provider|channel|origin|slot|role|last4|limit|position|recovered|sandbox|date|from|to|month|account)$|_(id|ids|kobo|at|date|reference|message|status|code|count|hours|days|ms|last4|types|number)$|^reference$/;

const HIDDEN = '…';

const MAX_DEPTH = 6;
const MAX_ITEMS = 5;
const MAX_FIELDS = 60;
const MAX_CHARS = 2_000;

/** JSON of what may be shown to everybody who may develop, in at most 2,000 characters. */
export function redacted(value: unknown): string {
  const text = JSON.stringify(shown(value, true, 0));
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).toWellFormed()}${HIDDEN}` : text;
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
      name === 'metadata' ? HIDDEN : shown(value, SHOWN.test(name), depth + 1),
    ]),
  );
}

/** Without what grants access: ids of payers' views, and any credential, wherever it stands. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(ct|lnk|svc_[sp]k_(?:live|test)|hat|hrt)_[0-9a-z]+/gi, '$1_…')
    .replace(/whsec_.*/i, 'whsec_…');
}
