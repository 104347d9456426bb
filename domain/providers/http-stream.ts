import { exchange, type ProviderAnswer, type ProviderRequest, readAnswer } from './http.ts';
import { type Scalars, type Wanted, walkJson } from './json-walk.ts';

/**
 * The longest list that is read. A payout of 100,000 payments, the largest there should be, is some 40 MB; beyond six times that
 * somebody is sending us something else, and a worker would be kept busy with it for half a minute.
 */
const MOST_LIST_BYTES = 256 * 1024 * 1024;

export interface ListRequest extends Omit<ProviderRequest, 'method' | 'body'> {
  wanted: Wanted;
}

/** An answer that was picked from while it came. `json` holds the values beside the list, by their paths; `raw` is empty. */
export interface ListAnswer extends ProviderAnswer {
  /** Undefined where the answer holds no such list: refusals do not, and some come under 200. */
  rows: Scalars[] | undefined;
  /** True: there are more, and nothing was read from there on. False: this is the list to its end. */
  hasMore: boolean;
}

/**
 * Asks for a list that may be too long to be held, and keeps what is wanted of it. An answer other than a 2xx is read as it is elsewhere.
 * Throws as `callProvider` does; `unknown` too where a list breaks off, is no JSON, or is longer than any there is: half a list is never
 * taken for a whole one.
 */
export function callForList(
  { wanted, ...request }: ListRequest,
  mostBytes = MOST_LIST_BYTES,
): Promise<ListAnswer> {
  return exchange({ ...request, method: 'GET' }, async (response) => {
    if (!response.ok) return { ...(await readAnswer(response)), rows: undefined, hasMore: false };
    const { rows, beside, hasMore } = await pick(response, wanted, mostBytes);
    return { status: response.status, json: beside, raw: '', retryAfterMs: null, rows, hasMore };
  });
}

/** Reads no further than it must: leaving the loop closes the connection. */
async function pick({ body }: Response, wanted: Wanted, mostBytes: number) {
  const decoder = new TextDecoder();
  const { picked, read } = walkJson(wanted);
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    read(decoder.decode(chunk, { stream: true }));
    if (picked.hasMore) return picked;
  }
  read(decoder.decode());
  if (!picked.isWhole) throw new Error('the answer is not a whole JSON object');
  return picked;
}
