import { errorOf, isGood } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { Answer } from '../adapter/open.ts';
import { plainText } from '../adapter/read.ts';
import { uploaded } from '../adapter/upload.ts';
import type { DisputeResponse } from '../port/dispute.ts';
import { answerForm } from './answers.ts';

const MOST_CHARACTERS = 2_000;

/** (https://developer.flutterwave.com/v3.0.0/reference/acceptdecline-a-chargeback) */
export const respondToDispute: Answer<'respondToDispute', ListClient> = async (
  client,
  response,
) => {
  const answer = await client.put(
    `/chargebacks/${encodeURIComponent(response.providerDisputeId)}`,
    {
      action: response.kind === 'evidence' ? 'decline' : 'accept',
      comment: plainText(commentOf(response), MOST_CHARACTERS),
      ...(await proofOf(client, response)),
    },
  );
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
};

/** (https://developer.flutterwave.com/reference/endpoints/charge-backs) */
async function proofOf(client: ListClient, { file }: DisputeResponse) {
  if (!file) return {};
  const answer = await client.postFile('/upload_image', 'image', uploaded(file));
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
  return { prooflink: String(answer.json.data) };
}

/** There is one field for everything. */
function commentOf({ details, delivery: { address, date } }: DisputeResponse): string {
  const to = address === null ? '' : ` Delivered to: ${address}.`;
  const on = date === null ? '' : ` Delivered on: ${date}.`;
  return details + to + on;
}
