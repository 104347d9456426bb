/**
 * A status without a row does not compile; an absent pair changes nothing: facts may repeat and
 * arrive in any order.
 */
export type Transitions<Status extends string, Cause extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Cause, Status>>>>
>;

export type TargetOf<Table, Cause extends string> = {
  [Status in keyof Table]: Cause extends keyof Table[Status] ? Table[Status][Cause] : never;
}[keyof Table];

/** An unlisted pair does not compile. */
export function step<Table, Status extends keyof Table, Cause extends keyof Table[Status]>(
  table: Table,
  status: Status,
  cause: Cause,
): Table[Status][Cause] {
  return table[status][cause];
}

/** Undefined: it changes nothing. */
export function follow<Table extends Transitions<string, string>, Cause extends string>(
  table: Table,
  status: keyof Table,
  cause: Cause,
): TargetOf<Table, Cause> | undefined {
  return table[status]![cause] as TargetOf<Table, Cause> | undefined;
}

/** The guard of a statement that writes it. */
export function statusesBefore<Table extends Transitions<string, string>>(
  table: Table,
  cause: string,
): (keyof Table & string)[] {
  return Object.keys(table).filter((status) => table[status]![cause] !== undefined);
}
