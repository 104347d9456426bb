import type { Endpoint, SandboxContext } from '../context.ts';
import { toId } from '../fields.ts';
import type { Account, Settlement } from '../records.ts';
import { contentsOf, findSettlement, linesOf, listSettlements } from '../settlements.ts';
import { ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { settlementLine, settlementShape } from './settlement-shape.ts';

/** `GET /settlements`. */
export const getSettlements: Endpoint = {
  method: 'get',
  path: '/settlements',
  handle(context, call) {
    return listAnswer(
      call,
      'Settlements fetched',
      async ({ window, dates }) => {
        const page = await listSettlements(context.sql, call.account, dates, window);
        return { ...page, rows: await toWire(context, call.account, page.rows) };
      },
      (row) => row,
    );
  },
};

/**
 * `GET /settlements/{id}`: with its transactions; here, and only here, `meta` is text and
 * `is_local` a number.
 */
export const getSettlement: Endpoint = {
  method: 'get',
  path: '/settlements/:id',
  async handle(context, { account, params }) {
    const settlement = await findSettlement(context.sql, account, toId(params.id) ?? 0);
    if (!settlement) return refuse(404, 'Settlement not found');
    const [shape] = await toWire(context, account, [settlement]);
    const fields = { ...shape, is_local: 1, meta: JSON.stringify(shape!.meta) };
    return { status: 200, body: undefined, stream: detail(context, account, settlement, fields) };
  },
};

async function toWire(context: SandboxContext, account: Account, settlements: Settlement[]) {
  const contents = await contentsOf(context.sql, settlements);
  return settlements.map((settlement) =>
    settlementShape(account, settlement, contents.get(settlement.id)!),
  );
}

/**
 * The answer piece by piece: a settlement of a hundred thousand transactions is never in memory as
 * a whole.
 */
async function* detail(
  context: SandboxContext,
  account: Account,
  settlement: Settlement,
  fields: object,
): AsyncGenerator<string> {
  const { body } = ok('Settlement fetched', { ...fields, transactions: [] });
  const [head, tail] = JSON.stringify(body).split('"transactions":[]');
  yield `${head}"transactions":[`;
  let separator = '';
  for await (const lines of linesOf(context.sql, settlement)) {
    yield separator + lines.map((line) => JSON.stringify(settlementLine(account, line))).join(',');
    separator = ',';
  }
  yield `]${tail}`;
}
