/**
 * A lifecycle: where each cause takes each status. A status without a row does not compile. A pair
 * that is absent changes nothing: facts may repeat and arrive in any order.
 */
export type Transitions<Status extends string, Cause extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Cause, Status>>>>
>;

/** The statuses a cause leads to, from wherever the table lists it. */
export type TargetOf<Table, Cause extends string> = {
  [Status in keyof Table]: Cause extends keyof Table[Status] ? Table[Status][Cause] : never;
}[keyof Table];

/** The status that a listed pair leads to. A pair that the table does not list does not compile. */
export function step<Table, Status extends keyof Table, Cause extends keyof Table[Status]>(
  table: Table,
  status: Status,
  cause: Cause,
): Table[Status][Cause] {
  return table[status][cause];
}

/** The status a cause leads to, or undefined where it changes nothing. */
export function follow<Table extends Transitions<string, string>, Cause extends string>(
  table: Table,
  status: keyof Table,
  cause: Cause,
): TargetOf<Table, Cause> | undefined {
  return table[status]![cause] as TargetOf<Table, Cause> | undefined;
}

/** The statuses a cause changes: the guard of a statement that writes it. */
export function statusesBefore<Table extends Transitions<string, string>>(
  table: Table,
  cause: string,
): (keyof Table & string)[] {
  return Object.keys(table).filter((status) => table[status]![cause] !== undefined);
}
