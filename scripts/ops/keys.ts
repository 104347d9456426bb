import type { Context } from '../../config/context.ts';
import { sealedColumns } from '../../domain/sealed-columns.ts';
import { countByKey, resealColumn, type SealedColumn } from '../../domain/shared/sealed-columns.ts';
import type { Terminal } from '../command-line.ts';
import type { OperatorCommand, Printed } from './operate.ts';

export const keyCommands: OperatorCommand[] = [
  {
    name: 'rotate',
    description:
      'Seals everything again under the first key of MASTER_KEY. May be interrupted and repeated, ' +
      'while the service runs.',
    run: (context, _options, _argument, terminal) => rotate(context, terminal),
  },
  {
    name: 'status',
    description: 'Counts what each master key has sealed, and names the keys that can be retired.',
    run: status,
  },
];

async function rotate(context: Context, terminal: Terminal): Promise<Printed> {
  const { db, vault, log } = context;
  const columns = [];
  for (const column of sealedColumns) {
    const done = await resealColumn(db, vault, column);
    log.info('column resealed', { column: nameOf(column), ...done });
    columns.push({ column: nameOf(column), ...done });
  }
  const unopened = columns.reduce((sum, column) => sum + column.unopened, 0);
  if (unopened > 0) terminal.exitCode = 1;
  const lines = columns.map(({ column, resealed, unopened }) =>
    unopened === 0 ? `${column}: ${resealed}` : `${column}: ${resealed}, ${unopened} do not open`,
  );
  const text = `Sealed again under ${vault.currentKey}:\n${lines.join('\n')}`;
  return { object: { current_key: vault.currentKey, columns }, text };
}

async function status({ db, vault, env }: Context): Promise<Printed> {
  const counts = new Map<string, number>();
  for (const column of sealedColumns)
    for (const [key, count] of await countByKey(db, column))
      counts.set(key, (counts.get(key) ?? 0) + count);
  const configured = env.masterKeys.map(({ id }) => id);
  const keys = [...new Set([...configured, ...counts.keys()])].map((id) => {
    const sealed = counts.get(id) ?? 0;
    return { id, sealed, state: stateOf(id, sealed) };
  });
  function stateOf(id: string, sealed: number): string {
    if (id === vault.currentKey) return 'current';
    if (!configured.includes(id)) return 'missing from MASTER_KEY';
    return sealed > 0 ? 'needed' : 'can be retired';
  }
  return {
    object: { data: keys },
    text: keys.map(({ id, sealed, state }) => `${id}: seals ${sealed} values, ${state}`).join('\n'),
  };
}

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;
