import { toId } from '../fields.ts';
import type { Account, Settlement } from '../records.ts';
import { contentsOf, findSettlement, linesOf, listSettlements } from '../settlements.ts';
import type { Endpoint, World } from '../world.ts';
import { ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { settlementLine, settlementShape } from './settlement-shape.ts';

/** `GET /settlements`. */
export const getSettlements: Endpoint = {
  method: 'get',
  path: '/settlements',
  handle(world, call) {
    return listAnswer(
      call,
      'Settlements fetched',
      async ({ window, dates }) => {
        const page = await listSettlements(world.sql, call.account, dates, window);
        return { ...page, rows: await toWire(world, call.account, page.rows) };
      },
      (row) => row,
    );
  },
};

/** `GET /settlements/{id}`: with its transactions; here, and only here, `meta` is text and `is_local` a number. */
export const getSettlement: Endpoint = {
  method: 'get',
  path: '/settlements/:id',
  async handle(world, { account, params }) {
    const settlement = await findSettlement(world.sql, account, toId(params.id) ?? 0);
    if (!settlement) return refuse(404, 'Settlement not found');
    const [shape] = await toWire(world, account, [settlement]);
    const fields = { ...shape, is_local: 1, meta: JSON.stringify(shape!.meta) };
    return { status: 200, body: undefined, stream: detail(world, account, settlement, fields) };
  },
};

async function toWire(world: World, account: Account, settlements: Settlement[]) {
  const contents = await contentsOf(world.sql, settlements);
  return settlements.map((settlement) =>
    settlementShape(account, settlement, contents.get(settlement.id)!),
  );
}

/** The answer piece by piece: a settlement of a hundred thousand transactions is never in memory as a whole. */
async function* detail(
  world: World,
  account: Account,
  settlement: Settlement,
  fields: object,
): AsyncGenerator<string> {
  const { body } = ok('Settlement fetched', { ...fields, transactions: [] });
  const [head, tail] = JSON.stringify(body).split('"transactions":[]');
  yield `${head}"transactions":[`;
  let separator = '';
  for await (const lines of linesOf(world.sql, settlement)) {
    yield separator + lines.map((line) => JSON.stringify(settlementLine(account, line))).join(',');
    separator = ',';
  }
  yield `]${tail}`;
}
