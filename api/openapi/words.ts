/** What a field means, and an example of it. */
interface Words {
  description?: string;
  examples?: readonly unknown[];
}

/** The words for a field whose schema brings none: by its owner (an object's title or an operation's id) and name, else by its name. */
export function wordsFor(owner: string, field: string): Words {
  const [description, ...examples] = words[`${owner}.${field}`] ?? words[field] ?? [];
  return { ...(description ? { description } : {}), ...(examples.length > 0 ? { examples } : {}) };
}

/** True where an example of a request shows this field although it may be left out: an example was written for this very place. */
export function isTelling(owner: string, field: string): boolean {
  return words[`${owner}.${field}`]?.[1] !== undefined;
}

/** `field` or `Owner.field`: what it means, then an example where one made up from the schema would say little. */
const words: Record<string, readonly [description: string, example?: unknown]> = {
  // Everywhere
  object: ['The kind of object.'],
  id: ['Identifier: a prefix that names the kind, and 26 characters.'],
  mode: ['`live` or `test`: the mode of the credential that made it.', 'test'],
  tenant_id: ['The merchant’s business.'],
  created_at: ['When it was made.'],
  updated_at: ['When it last changed.'],
  status: ['Where it stands.'],
  name: ['A name for people.', 'Ada Obi'],
  email: ['E-mail address.', 'ada@example.com'],
  phone: [
    'Phone number of 7 to 15 digits; Nigerian numbers are kept in international form.',
    '+2348031234567',
  ],
  reference: ['Service reference, `SV-<number>`.', 'SV-100001'],
  merchant_reference: ['The merchant’s own reference, as sent with the charge.', 'order-1042'],
  amount_kobo: ['Integer kobo: ₦2,500.00 is 250000.', 250_000],
  fee_kobo: ['What the provider keeps, in kobo; 0 until the provider states it.', 3_750],
  currency: ['ISO 4217 code.', 'NGN'],
  provider: ['The connected payment provider that has it, by its slot.', 'provider_a'],
  provider_reference: ['The provider’s own reference.', 'SV-100001-k3f9x0aa'],
  channel: ['How it was paid; null until known.', 'card'],
  description: ['A text the payer sees.', 'Two bags of rice'],
  reason: ['Why, in your words.', 'The customer returned the goods'],
  customer: ['Who pays.'],
  metadata: ['Your own key/value pairs, returned as they were sent.', { order_id: 1042 }],
  transaction_id: ['The transaction it belongs to, once there is one.'],
  settlement_id: ['The settlement that paid it out, once it is settled.'],
  expires_at: ['Until when it can be used.'],
  occurred_at: ['When it was paid; until then, when it was created.'],
  settled_at: ['When it was paid out to the merchant.'],
  failure_message: ['Why it failed, in plain words.'],
  detail: ['In a sentence.', 'The provider made the payment page.'],

  // Lists
  data: ['The objects of this page.'],
  limit: ['Most objects on one page.', 25],
  cursor: ['`next_cursor` of the page before.', 'dHhuXzAxazJ2OG4w'],
  next_cursor: [
    'Ask for the next page with it; absent at the end of the list.',
    'dHhuXzAxazJ2OG4w',
  ],
  from: ['First day, in the time zone of the business.', '2026-01-01'],
  to: ['Last day, inclusive.', '2026-01-31'],

  // Charges
  'createCharge.email': ['The customer’s e-mail address.', 'ada@example.com'],
  'createCharge.name': ['The customer’s name.'],
  'createCharge.reference': [
    'Your own reference for it; becomes `merchant_reference`.',
    'order-1042',
  ],
  'createCharge.description': ['What it is for. The payer sees it.', 'Two bags of rice'],
  'createCharge.return_url': [
    'Where the payer is sent afterwards, with `reference` and `status` added.',
    'https://shop.example/thanks',
  ],
  'createCharge.metadata': [
    'Up to 50 pairs of your own; keys up to 40 characters; texts, numbers, booleans or null.',
    { order_id: 1042 },
  ],
  return_url: ['Where the payer is sent afterwards, with `reference` and `status` added.'],
  'createCharge.provider': [
    'A connected provider, or `auto`: the first that works. A named one is not replaced by another.',
  ],
  'Checkout.status': ['`open` until it is paid, fails or expires.', 'open'],
  'Checkout.transaction': ['Null until money came; then the transaction.'],
  checkout_url: [
    'The hosted payment page: send the payer there.',
    'https://pay.example.com/pay/ct_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  checkout_token: ['Same as `id`.'],

  // Transactions
  'Transaction.status': [
    '`initiated → pending → succeeded → settled`, or `failed`; later perhaps `refunded` or `disputed`.',
    'succeeded',
  ],
  'Transaction.type': ['What moved the money.'],
  net_kobo: ['Amount less fee.', 246_250],
  refunded_kobo: ['Refunded so far, in kobo.', 0],
  recovered: ['True when the money came after the charge had already failed.'],
  'listTransactions.customer': ['Customer’s e-mail address.', 'ada@example.com'],
  'listTransactions.status': ['Only transactions in this status.', 'succeeded'],
  'listTransactions.provider': ['Only those of this provider.', 'provider_a'],
  'listTransactions.channel': ['Only those paid this way.', 'card'],

  // Refunds
  'requestRefund.reference': ['The charge’s service reference.', 'SV-100001'],
  'requestRefund.amount_kobo': ['How much; by default all that can still be refunded.', 100_000],
  'listRefunds.reference': ['Only refunds of this charge.', 'SV-100001'],
  'listRefunds.status': ['Only refunds in this status.'],
  'Refund.status': [
    '`requested` until an Owner decides; then `approved → processing → completed` or `failed`, or `rejected`.',
    'requested',
  ],
  'Refund.failure_message': ['Why the provider would not do it, in plain words.'],
  'Refund.attention': ['What has to be put right before it can go on.'],
  origin: [
    'Who asked for it: the merchant, somebody at the provider, or the service, which sends back what was paid twice.',
  ],
  rejection_reason: ['Why the Owner said no.'],
  decided_at: ['When an Owner decided.'],
  completed_at: ['When the provider had done it.'],
  'Attention.reason': ['In the provider’s words.'],

  // Reviews
  'listReviews.status': ['`open` waits for a decision; `closed` was decided, or answered itself.'],
  'listReviews.reason': ['Only reviews for this reason.'],
  note: ['Why, for the history of the charge.', 'Agreed with the customer by telephone'],
  'Review.reason': [
    'Why a person should look: `underpaid`, `overpaid`, `extra_capture` (paid again and not sent back), `capture_mismatch` (does not fit the charge), `unknown_status` (words of the provider that are not known), `link_paid_before`, `dispute`.',
    'underpaid',
  ],
  'Review.detail': [
    'In a sentence.',
    'The payer paid less than was asked: ₦1,500.00 of ₦2,500.00.',
  ],
  'Review.amount_kobo': ['What is in question, in kobo; null where it is no money.', 150_000],
  'Review.payment': ['The payment it is about; null where there is none of this charge.'],
  'ReviewedPayment.provider_reference': ['The provider’s own id of the payment.', '4099260516'],
  'Review.status': [
    '`open`; then `accepted` or `returned` by an Owner, or `resolved` where it answered itself.',
    'open',
  ],
  'Review.decided_by': ['The member who decided, or `operator`.', 'mem_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  'Review.decided_at': ['When it was decided.'],

  // Payment links
  'createPaymentLink.customer': [
    'Who is to pay, where it is known.',
    { name: 'Ada Obi', phone: '+2348031234567' },
  ],
  'createPaymentLink.expires_in_days': ['For how many days it can be paid.', 14],
  'createPaymentLink.provider': ['A connected provider, or `auto`: the first that works.'],
  'listPaymentLinks.status': ['Only links in this status.'],
  'PaymentLink.provider': ['The provider wanted, or `auto`.', 'auto'],
  'PaymentLink.url': [
    'Share this: whoever opens it can pay.',
    'https://pay.example.com/l/lnk_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  'PaymentLink.status': ['`active` until it is paid, expires or is disabled.', 'active'],
  'PaymentLink.transaction_id': ['The transaction that paid it; null until then.'],

  // Settlements
  'listSettlements.status': ['Only settlements in this status.'],
  'listSettlements.provider': ['Only those of this provider.'],
  'Settlement.status': [
    '`expected` until the provider pays; then `landed`, or `short`, or `failed`.',
    'landed',
  ],
  gross_kobo: ['What payers paid for the transactions in it, in kobo.', 250_000],
  'Settlement.fee_kobo': ['What the provider kept of that as its fees, in kobo.', 3_750],
  refunds_kobo: ['Refunds the provider took out of it, in kobo.', 0],
  chargebacks_kobo: ['Lost disputes the provider took out of it, in kobo.', 0],
  foreign_kobo: [
    'Other business of the merchant at the provider that was paid out with it, after fees, in kobo; negative where it cost more than it brought. None of it is among the transactions.',
    0,
  ],
  foreign_count: ['How many payments of that other business are in it.', 0],
  expected_date: ['The day it is due.', '2026-02-02'],
  expected_amount_kobo: [
    'What it should come to, in kobo: `gross_kobo − fee_kobo − refunds_kobo − chargebacks_kobo + foreign_kobo`. A forecast while it is `expected`.',
    246_250,
  ],
  landed_amount_kobo: ['What arrived, in kobo; null until it did.', 246_250],
  shortfall_kobo: [
    'What is missing: expected less landed, or 0 where no less landed; null until it landed.',
    0,
  ],
  transaction_count: ['How many transactions are in it.', 1],
  bank: ['The account it was paid to, as far as the provider says.'],
  account_last4: ['The last four digits of the account.', '6789'],
  landed_at: ['When it arrived.'],
  'Bank.name': ['Name of the bank.', 'First Bank'],

  // Discrepancies
  'listDiscrepancies.status': ['Only discrepancies in this status.'],
  'listDiscrepancies.kind': ['Only discrepancies of this kind.'],
  'listDiscrepancies.settlement': [
    'Only those about this settlement.',
    'stl_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  'listDiscrepancies.provider': ['Only those of this provider.'],
  'listDiscrepancies.from': ['First day they belong to.', '2026-01-01'],
  'listDiscrepancies.to': ['Last day, inclusive.', '2026-01-31'],
  'closeDiscrepancy.reason': [
    'Why it is accepted as it is.',
    'The provider paid the difference by bank transfer',
  ],
  'Discrepancy.kind': [
    'What differs. `amount_mismatch`: a line states another amount than was paid, or pays out what was paid out before. `fee_mismatch`: its fee is not the one stated before. `deduction_mismatch`: more was taken out than refunds and chargebacks we know of. `missing`: a payment is in no payout, long after it was due. `short`, `surplus`: less, or more, reached the bank than the payout adds up to. `never_notified`: a payment nobody told us of. `unknown_at_provider`: one of ours that its provider does not know any more.',
    'fee_mismatch',
  ],
  'Discrepancy.status': [
    '`open`; `resolved` once it does not differ any more; `closed` by a person who accepts it.',
    'open',
  ],
  'Discrepancy.settlement_id': [
    'The settlement it is about, if any.',
    'stl_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  'Discrepancy.transaction_id': [
    'The transaction it is about, where one is known.',
    'txn_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  'Discrepancy.reference': [
    'What the provider knows the payment by; null where a whole payout differs.',
    'SV-100001-4f7k2m9p',
  ],
  'Discrepancy.amount_kobo': ['How much it is about, in kobo.', 2_500],
  'Discrepancy.difference_kobo': [
    'Its part of what was expected and did not land, in kobo; negative where more came.',
    2_500,
  ],
  'Discrepancy.detail': [
    'In a sentence, with what to do about it.',
    'The line takes a fee of ₦62.50 where ₦37.50 was stated when it was paid. Compare it with your agreed fees.',
  ],
  'Discrepancy.line': [
    'The line of the payout that says so, as the provider states it; null where none does.',
  ],
  'SettlementLine.provider_reference': ['The provider’s own id of the payment.', '4099260516'],
  'SettlementLine.reference': ['The reference the provider has it under.', 'SV-100001-4f7k2m9p'],
  'SettlementLine.fee_kobo': ['The fee it states; null where it states none.', 6_250],
  date: ['The day it belongs to, in Lagos: of its payout, or of its payment.', '2026-02-02'],
  closed_by: [
    'The member who closed it, or `operator`; null where nobody did.',
    'mem_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  close_reason: [
    'Why they accepted it as it was.',
    'The provider paid the difference by bank transfer',
  ],
  opened_at: ['When it was found.'],
  ended_at: ['When it was resolved or closed; null while it is open.'],

  // Events and webhooks
  'Event.data': ['The object concerned, as it was then.'],
  type: ['What happened.', 'charge.succeeded'],
  'listEvents.after': [
    '`next_cursor` of the page before, or the id of an event: only what came later.',
  ],
  url: ['Address of the endpoint: https, and no private network.', 'https://shop.example/webhooks'],
  event_types: ['The types of event it is sent.', ['charge.succeeded', 'refund.completed']],

  // Webhook endpoints and deliveries
  'WebhookEndpoint.status': ['`enabled`, or `disabled`: nothing is sent to it.', 'enabled'],
  'NewWebhookEndpoint.status': ['`enabled`, or `disabled`: nothing is sent to it.', 'enabled'],
  'updateWebhookEndpoint.status': [
    '`disabled` stops it and cancels what waits for it; `enabled` starts it again.',
    'enabled',
  ],
  disabled_reason: [
    'Why it is disabled: `by_hand`; `gone`, as it answered 410; `failing`, as it failed for five days without a single success. Null while it is enabled.',
  ],
  disabled_at: ['When it was disabled; null while it is enabled.'],
  failing_since: ['Its first failure since its last success; null when the last try succeeded.'],
  missed_since: [
    'From when on it missed events while it was disabled: enable it and have them sent with `resend`. Null: none.',
  ],
  pending_deliveries: ['How many deliveries still wait for it, counted up to 10,000.', 0],
  secrets: [
    'What signs its deliveries just now: its secret, and those rotated out in the last 24 hours.',
  ],
  'EndpointSecret.until': ['Until when it signs; null for the one that stays.'],
  'resendToWebhookEndpoint.since': ['Events from this time on.', '2026-01-31T09:00:00Z'],
  'Resend.since': ['The time asked for.'],
  scheduled: ['How many events are sent now.', 12],
  next_since: ['There was more than one request sends: ask again from here. Null: that was all.'],
  endpoint_id: ['The endpoint it goes to.', 'whe_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  event_id: ['The event it tells; null for a test.', 'evt_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  event_type: ['The type of that event; null for a test.', 'charge.succeeded'],
  delivery_id: ['The delivery it is on record as.', 'dlv_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  resend_of: ['The delivery it repeats, if any.'],
  try_count: ['How often it was tried.', 1],
  last_status_code: ['What the endpoint answered to the last try; null: no answer.', 200],
  last_error: ['What went wrong with the last try, where there was no answer.'],
  next_try_at: ['When it is tried again; null: never.'],
  finished_at: ['When it arrived or was given up; null while it is tried.'],
  status_code: ['What the endpoint answered; null: no answer.', 200],
  error: ['What went wrong, where there was no answer.'],
  duration_ms: ['How long it took, in ms.', 84],
  tries: ['Every try, the first one first; kept for 30 days.'],
  'DeliveryTry.try': ['Which try it was, counted from 1.', 1],
  'DeliveryTry.answer': ['The first 2 kB of the answer.', 'ok'],
  'Delivery.status': [
    '`pending` while it is tried; `delivered` once the endpoint answered 2xx; `exhausted` after the last try; `cancelled` when its endpoint was disabled or deleted.',
    'delivered',
  ],
  'DeliveryWithTries.status': [
    '`pending` while it is tried; `delivered` once the endpoint answered 2xx; `exhausted` after the last try; `cancelled` when its endpoint was disabled or deleted.',
    'delivered',
  ],
  'listDeliveries.endpoint': [
    'Only deliveries to this endpoint.',
    'whe_01k2v8n0d4e7g9h3j5m6p8q1rs',
  ],
  'listDeliveries.event': ['Only deliveries of this event.', 'evt_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  'listDeliveries.status': ['Only deliveries in this status.'],

  'createConnection.provider': ['The slot it takes: the name of the provider in this API.'],

  // API keys
  'createApiKey.name': ['A name to know it by.', 'Web shop'],
  'updateApiKey.name': ['A name to know it by.', 'Web shop'],
  'ApiKey.name': ['The name it was given.', 'Web shop'],
  'NewApiKey.name': ['The name it was given.', 'Web shop'],

  // Sign-in and members
  password: ['At least twelve characters.', 'correct horse battery staple'],
  access_token: ['Send it as the bearer credential.', `hat_${'0123456789'.repeat(4)}`],
  refresh_token: ['Exchange it once, for the next pair.', `hrt_${'0123456789'.repeat(4)}`],
  token_type: ['How the access token is sent.'],
  role: [
    'What they may do: `owner` everything, `developer` keys and webhooks, `viewer` only look.',
    'developer',
  ],
  set_password_url: [
    'Where they set their password, once and within a day. Shown now and never again.',
    'https://pay.example.com/set-password/one-time-secret',
  ],

  // Timeline
  at: ['When it happened.'],
  what: ['What happened, in a word.', 'charge.pending'],
  evidence_sha256: ['SHA-256 of the raw payload that says so, where there is one.'],
};
