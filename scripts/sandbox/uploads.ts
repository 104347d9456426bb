import type { SandboxContext } from './context.ts';
import { type Api, readBody, send } from './http.ts';

const LIMIT_BYTES = 10 * 1024 * 1024;

/** Where files for disputes are put: who knows the address may. Only that they came is kept. */
export function uploads({ store }: SandboxContext): Api {
  return async (request, response, address) => {
    const bytes = await readBody(request, LIMIT_BYTES);
    const dispute = store.dispute.first(`file ${address.slice(1)}`);
    const isTaken = request.method === 'PUT' && dispute?.file && bytes && bytes.length > 0;
    if (isTaken) store.dispute.change(dispute, { file: { ...dispute.file!, isHere: true } });
    await store.saved();
    send(response, isTaken ? 200 : 403, '', {});
  };
}
