import {
  exchange,
  type ProviderAnswer,
  type ProviderRequest,
  type ProviderResponse,
  readAnswer,
} from './http.ts';
import { type Scalars, type Wanted, walkJson } from './json-walk.ts';

/**
 * A longer list is refused. A settlement of 100,000 payments, the largest expected, has some 40 MB;
 * more than six times that is something else and would occupy a worker for half a minute.
 */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

export interface ListRequest extends Omit<ProviderRequest, 'method' | 'body'> {
  wanted: Wanted;
}

/** An answer read as a stream. `json` holds the values beside the list, by path; `raw` is empty. */
export interface ListAnswer extends ProviderAnswer {
  /** Undefined where the answer holds no such list, as in a refusal (some have status 200). */
  rows: Scalars[] | undefined;
  /** True: there are more rows, and they were not read. False: the list ends here. */
  hasMore: boolean;
}

/**
 * Gets a list that may not fit in memory, and keeps the wanted part. Throws as `callProvider` does,
 * and `unknown` where the list breaks off, is no JSON or is too long: part of a list never passes
 * for the whole.
 */
export function callForList(
  { wanted, ...request }: ListRequest,
  maxBytes = MAX_LIST_BYTES,
): Promise<ListAnswer> {
  return exchange({ ...request, method: 'GET' }, async (response) => {
    if (response.status < 200 || response.status > 299)
      return { ...(await readAnswer(response)), rows: undefined, hasMore: false };
    const { rows, beside, hasMore } = await pick(response, wanted, maxBytes);
    return { status: response.status, json: beside, raw: '', retryAfterMs: null, rows, hasMore };
  });
}

/** Reads no further than necessary: to leave the loop closes the connection. */
async function pick({ body }: ProviderResponse, wanted: Wanted, maxBytes: number) {
  const decoder = new TextDecoder();
  const { picked, read } = walkJson(wanted);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    read(decoder.decode(chunk, { stream: true }));
    if (picked.hasMore) return picked;
  }
  read(decoder.decode());
  if (!picked.isWhole) throw new Error('the answer is not a whole JSON object');
  return picked;
}
