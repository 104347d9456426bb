import type { Tx } from '../../shared/tx.ts';
import { lockCharge } from '../charge/store.ts';
import type { DisputeResponseRow } from '../dispute-response/row.ts';
import { finishResponse } from '../dispute-response/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

export type ResponseEnd = { status: 'sent' } | { status: 'refused'; message: string };

/** Does nothing where the worker's claim has ended. The dispute itself stays as it is. */
export async function recordResponse(
  tx: Tx,
  response: DisputeResponseRow,
  end: ResponseEnd,
): Promise<void> {
  const charge = await lockCharge(tx, response.charge_id);
  const message = end.status === 'refused' ? end.message : null;
  const ended = await finishResponse(tx, response, { ...end, message });
  if (!ended) return;
  const what = ended.kind === 'evidence' ? 'Evidence' : 'The acceptance';
  const detail =
    message === null
      ? `${what} was sent to the provider (${ended.id}).`
      : `${what} was not taken by the provider: ${message} (${ended.id})`;
  await appendTimeline(tx, charge, [{ what: `dispute.response_${end.status}`, detail }]);
}
