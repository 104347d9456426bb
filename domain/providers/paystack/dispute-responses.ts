import { errorOf, isGood, recordOf } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { Answer } from '../adapter/open.ts';
import { idOf, isReference, plainText, UnclearError } from '../adapter/read.ts';
import { type UploadedFile, uploaded } from '../adapter/upload.ts';
import type { DisputeResponse } from '../port/dispute.ts';
import { answerForm } from './answers.ts';

/**
 * Only `resolve` answers the dispute: what is uploaded and added before it may be so again. It
 * wants a file in any case. (https://paystack.com/docs/api/dispute/)
 */
export const respondToDispute: Answer<'respondToDispute', ListClient> = async (
  client,
  response,
) => {
  const path = `/dispute/${encodeURIComponent(response.providerDisputeId)}`;
  const isEvidence = response.kind === 'evidence';
  const fileName = await uploadFile(client, path, fileOf(response));
  const evidence = isEvidence ? await addEvidence(client, path, response) : {};
  const answer = await client.put(`${path}/resolve`, {
    resolution: isEvidence ? 'declined' : 'merchant-accepted',
    message: plainText(response.details, MOST_CHARACTERS),
    refund_amount: isEvidence ? 0 : response.amountKobo,
    uploaded_filename: fileName,
    ...evidence,
  });
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
};

const MOST_CHARACTERS = 2_000;

async function uploadFile(client: ListClient, path: string, file: UploadedFile): Promise<string> {
  const search = new URLSearchParams({ upload_filename: file.name });
  const answer = await client.get(`${path}/upload_url?${search}`);
  const { signedUrl, fileName } = recordOf(answerForm, answer);
  await client.upload(signedUrl, file);
  if (!isReference(fileName)) throw new UnclearError('an upload has no file name');
  return fileName;
}

/** Paystack takes none without the customer's e-mail address, name and phone. */
async function addEvidence(
  client: ListClient,
  path: string,
  { details, customer: { email, name, phone }, delivery }: DisputeResponse,
): Promise<{ evidence?: number }> {
  if (email === null || name === null || phone === null) return {};
  const answer = await client.post(`${path}/evidence`, {
    customer_email: email,
    customer_name: name,
    customer_phone: phone,
    service_details: plainText(details, MOST_CHARACTERS),
    ...(delivery.address === null ? {} : { delivery_address: delivery.address }),
    ...(delivery.date === null ? {} : { delivery_date: delivery.date }),
  });
  return { evidence: Number(idOf(recordOf(answerForm, answer).id)) };
}

function fileOf(response: DisputeResponse): UploadedFile {
  return response.file ? uploaded(response.file) : statementOf(response);
}

/** What is said, as the file where the merchant gives none. */
function statementOf({ details, customer, delivery }: DisputeResponse): UploadedFile {
  const facts: [name: string, value: string | null][] = [
    ['Customer', [customer.name, customer.email, customer.phone].filter(Boolean).join(', ')],
    ['Delivered to', delivery.address],
    ['Delivered on', delivery.date],
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const text = `${details}\n\n${lines.join('\n')}\n`;
  return { name: 'statement.txt', type: 'text/plain; charset=utf-8', bytes: Buffer.from(text) };
}
