/** Fields with words that payers, providers or people of the business chose. */
const written = new Set([
  'bank',
  'close_reason',
  'customer',
  'detail',
  'failure_message',
  'line',
  'merchant_reference',
  'metadata',
  'provider_reference',
  'reason',
  'rejection_reason',
]);

const LONGEST_TEXT = 300;
const MOST_FIELDS = 20;

const format = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' });

/** 250000 → ₦2,500.00 */
export const naira = (kobo) => format.format(kobo / 100);

/**
 * An object of the API for an assistant: what others wrote is under `untrusted`, and beside each
 * field in kobo stands the same in naira.
 */
export function view(object) {
  const own = {};
  const untrusted = {};
  for (const [name, value] of Object.entries(object)) {
    const fields = written.has(name) ? untrusted : own;
    fields[name] = cleaned(value);
    if (name.endsWith('_kobo') && value !== null) own[name.slice(0, -5)] = naira(value);
  }
  return { ...own, untrusted };
}

/** Short, and without characters that people do not see. */
function cleaned(value) {
  if (typeof value === 'string') {
    const seen = value.replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, '');
    return seen.length > LONGEST_TEXT ? `${seen.slice(0, LONGEST_TEXT)}…` : seen;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).slice(0, MOST_FIELDS);
  return Object.fromEntries(fields.map(([name, one]) => [cleaned(name), cleaned(one)]));
}
