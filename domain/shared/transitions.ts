/**
 * A lifecycle: where each fact takes each status. A status without a row does not compile. A pair
 * that is absent changes nothing: facts may repeat and arrive in any order.
 */
export type Transitions<Status extends string, Fact extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Fact, Status>>>>
>;

/** The statuses a fact leads to, from wherever the table lists it. */
export type TargetOf<Table, Fact extends string> = {
  [Status in keyof Table]: Fact extends keyof Table[Status] ? Table[Status][Fact] : never;
}[keyof Table];

/** The status that a listed pair leads to. A pair that the table does not list does not compile. */
export function step<Table, Status extends keyof Table, Fact extends keyof Table[Status]>(
  table: Table,
  status: Status,
  fact: Fact,
): Table[Status][Fact] {
  return table[status][fact];
}

/** The status a fact leads to, or undefined where it changes nothing. */
export function follow<Table extends Transitions<string, string>, Fact extends string>(
  table: Table,
  status: keyof Table,
  fact: Fact,
): TargetOf<Table, Fact> | undefined {
  return table[status]![fact] as TargetOf<Table, Fact> | undefined;
}

/** The statuses a fact changes: the guard of a statement that writes it. */
export function statusesBefore<Table extends Transitions<string, string>>(
  table: Table,
  fact: string,
): (keyof Table & string)[] {
  return Object.keys(table).filter((status) => table[status]![fact] !== undefined);
}
