import type { Call } from '../context.ts';
import { disputesOf, resolveDispute } from '../disputes.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import type { Store } from '../store.ts';
import { get, post, put, toId, toText, unfilled } from '../wire.ts';
import { askedId, invalid, listAnswer, missing, notFound, ok } from './answers.ts';
import { customerShape, transactionShape } from './transaction-shape.ts';

const getDisputes = get('/dispute', ({ store }, call) => {
  askedId(call.query, 'transaction');
  return listAnswer(call, 'Disputes retrieved', disputesOf(store, call.account), {
    filters: { transaction: ({ paymentId }) => paymentId, status: statusOf },
    toWire: (dispute) => toWire(store, call.account, dispute),
  });
});

const getDispute = get('/dispute/:id', ({ store }, call) =>
  ok('Dispute retrieved', toWire(store, call.account, disputeOf(store, call))),
);

function disputeOf(store: Store, { account, params }: Call): Dispute {
  const id = toId(params.id);
  return disputesOf(store, account).find((dispute) => dispute.id === id) ?? notFound('Dispute');
}

/** A dispute that is decided takes nothing more. */
function openDisputeOf(store: Store, call: Call): Dispute {
  const dispute = disputeOf(store, call);
  return dispute.resolution ? invalid('Dispute has already been resolved') : dispute;
}

const getUploadUrl = get('/dispute/:id/upload_url', ({ store, url, random }, call) => {
  const [, ending] =
    /\.(\w{1,5})$/.exec(String(call.query.upload_filename)) ??
    missing('Upload filename is required', 'upload_filename');
  const dispute = openDisputeOf(store, call);
  const name = `${random().toString(36).slice(2)}${dispute.id}.${ending}`;
  store.dispute.change(dispute, { file: { name, isHere: false } });
  return ok('Upload url generated', { signedUrl: `${url}/_uploads/${name}`, fileName: name });
});

const addEvidence = post('/dispute/:id/evidence', ({ store, now }, call) => {
  const { id: dispute } = openDisputeOf(store, call);
  for (const name of ['customer_email', 'customer_name', 'customer_phone', 'service_details'])
    if (!toText(call.body[name])) return missing(`${name} is required`, name);
  const at = { createdAt: now(), updatedAt: now() };
  return ok('Evidence created', { ...call.body, id: dispute + 1, dispute, ...at });
});

/** The bank believes whoever contests a claim with a file, at once. */
const resolve = put('/dispute/:id/resolve', (context, call) => {
  const { store } = context;
  const { resolution, message, refund_amount, uploaded_filename: name } = call.body;
  const outcome = outcomes[String(resolution)] ?? invalid('Invalid resolution');
  if (!toText(message)) return missing('Message is required', 'message');
  if (refund_amount === undefined) return missing('Refund amount is required', 'refund_amount');
  const dispute = openDisputeOf(store, call);
  if (!dispute.file?.isHere || dispute.file.name !== name) return invalid('File was not uploaded');
  resolveDispute(context, store.payment.get(dispute.paymentId)!, dispute, outcome);
  const shape = toWire(store, call.account, dispute);
  return { ...ok('Dispute successfully resolved', shape), accepted: true };
});

const outcomes: Record<string, 'won' | 'lost'> = { declined: 'won', 'merchant-accepted': 'lost' };

/** The REST bodies spell their dates in camel case, the notifications with an underscore. */
function toWire(store: Store, account: Account, dispute: Dispute): object {
  const payment = store.payment.get(dispute.paymentId)!;
  const { createdAt, updatedAt } = dispute;
  return { ...disputeShape(account, payment, dispute), createdAt, updatedAt };
}

function statusOf({ resolution }: Dispute): string {
  return resolution ? 'resolved' : 'awaiting-merchant-feedback';
}

const answerTimeMs = 24 * 60 * 60 * 1000;

export function disputeShape(account: Account, payment: Payment, dispute: Dispute) {
  const createdAt = dispute.createdAt;
  return {
    id: dispute.id,
    refund_amount: dispute.amountKobo,
    currency: 'NGN',
    status: statusOf(dispute),
    resolution: dispute.resolution && resolutionName[dispute.resolution],
    domain: account.mode,
    transaction: transactionShape(account, payment),
    ...unfilled('transaction_reference evidence attachments note'),
    category: 'chargeback',
    customer: customerShape(account, payment),
    bin: payment.channel === 'card' ? '408408' : null,
    last4: payment.channel === 'card' ? '4081' : null,
    dueAt: new Date(dispute.createdAt.getTime() + answerTimeMs),
    resolvedAt: dispute.resolvedAt,
    history: [{ status: 'pending', by: payment.email, createdAt }],
    messages: [
      { sender: payment.email, body: 'Customer complained about debit without value', createdAt },
    ],
  };
}

/** A merchant who declined the claim and was believed has won. */
const resolutionName = { won: 'declined', lost: 'merchant-accepted' };

export const disputes = [getDisputes, getDispute, getUploadUrl, addEvidence, resolve];
