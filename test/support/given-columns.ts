import type { Table } from './tenant-keys.ts';

/** A table, or what a statement reads like one. */
export interface Relation {
  /** By which columns of it are named. */
  alias: string;
  name: string;
  /** Undefined: it is made by the statement, whose parts are read one by one. */
  table?: Table;
  columns?: ReadonlySet<string> | undefined;
  /** True: its rows are of one tenant and mode, or of none. */
  isBound: boolean;
}

/** What the columns of a query may name, the innermost first. */
export interface Scope {
  relations: Relation[];
  outer?: Scope | undefined;
}

export type Node = any;

/** The columns of a relation that a condition makes equal to what is given. */
export function givenBy(condition: Node, relation: Relation, scope: Scope): Set<string> {
  const { BoolExpr, NullTest, SubLink, A_Expr } = condition;
  const of = (part: Node) => givenBy(part, relation, scope);
  if (BoolExpr?.boolop === 'AND_EXPR')
    return union([...BoolExpr.args, ...samePrefixes(BoolExpr.args)].map(of));
  if (BoolExpr?.boolop === 'OR_EXPR') {
    const [first, ...others] = BoolExpr.args.map(of) as [Set<string>, ...Set<string>[]];
    const isEnough = [first, ...others].every((given) => hasKey(relation.table!, given));
    return isEnough ? first : others.reduce((both, given) => both.intersection(given), first);
  }
  const column = (part: Node) => columnOf(part, relation, scope);
  if (NullTest?.nulltesttype === 'IS_NULL')
    return new Set(column(NullTest.arg)).intersection(NULL_IS_ONE_VALUE);
  if (SubLink?.subLinkType === 'ANY_SUBLINK' && !SubLink.operName)
    return new Set(itemsOf(SubLink.testexpr).flatMap(column));
  if (!EQUALITY.has(A_Expr?.kind) || nameOf(A_Expr.name[0]) !== '=') return new Set();
  const [left, right] = [itemsOf(A_Expr.lexpr), itemsOf(A_Expr.rexpr)];
  const isGiven = (part: Node) => isKnown(part, relation, scope);
  return new Set([
    ...left.flatMap((item, n) => (isGiven(right[n] ?? right) ? column(item) : [])),
    ...right.flatMap((item, n) => (isGiven(left[n] ?? left) ? column(item) : [])),
  ]);
}

/**
 * Whether columns that are given lead to rows of one tenant and mode: both of these, or a key. Half
 * of the two is refused beside a key, too: somebody meant to give both. A secret is its holder's.
 */
export function hasKey(table: Table, given: ReadonlySet<string>): boolean {
  if (table.secrets.some((column) => given.has(column))) return true;
  if (missingHalf(table, given)) return false;
  return given.has('tenant_id') || table.keys.some((column) => given.has(column));
}

export function missingHalf({ columns }: Table, given: ReadonlySet<string>): string | undefined {
  const both = ['tenant_id', 'mode'];
  if (!both.every((column) => columns.has(column))) return undefined;
  const missing = both.filter((column) => !given.has(column));
  return missing.length === 1 ? missing[0] : undefined;
}

/** Without a mode a row is of both; without an id there is none. */
const NULL_IS_ONE_VALUE = new Set(['mode', 'id']);

const EQUALITY = new Set(['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT']);

/**
 * Rows between `($1, $2, $3)` and `($1, $2, $4)` have the same first columns: conditions that say
 * so.
 */
function samePrefixes(conditions: readonly Node[]): Node[] {
  const bounds = conditions
    .flatMap(({ A_Expr }) => A_Expr ?? [])
    .filter(({ lexpr, rexpr }) => lexpr?.RowExpr && rexpr?.RowExpr);
  const [above, below] = ['>', '<'].map((sign) =>
    bounds.filter(({ name }) => nameOf(name[0]).startsWith(sign)),
  );
  return above!.flatMap((low) =>
    below!.flatMap((high) => {
      const [columns, from, others, to] = [low.lexpr, low.rexpr, high.lexpr, high.rexpr].map(
        itemsOf,
      );
      const isSame = (n: number) =>
        textOf([columns![n], from![n]]) === textOf([others![n], to![n]]);
      const differs = from!.findIndex((_, n) => !isSame(n));
      return columns!.slice(0, differs).map((column, n) => equality(column, from![n]));
    }),
  );
}

const textOf = (node: Node) =>
  JSON.stringify(node, (key, value) => (key === 'location' ? undefined : value));

export function equality(left: Node, right: Node): Node {
  return { A_Expr: { kind: 'AEXPR_OP', name: [stringOf('=')], lexpr: left, rexpr: right } };
}

function columnOf(expression: Node, relation: Relation, scope: Scope): string[] {
  const { TypeCast, CollateClause, ColumnRef } = expression;
  if (TypeCast ?? CollateClause) return columnOf((TypeCast ?? CollateClause).arg, relation, scope);
  const fields = ColumnRef?.fields;
  return fields?.at(-1).String && relationOf(fields, scope) === relation
    ? [nameOf(fields.at(-1))]
    : [];
}

/** Whether an expression is made of parameters and of columns of other, bound rows. */
function isKnown(expression: Node, relation: Relation, scope: Scope): boolean {
  return nodesOf(expression).every(({ ColumnRef }) => {
    const named = ColumnRef && relationOf(ColumnRef.fields, scope);
    return !named || (named !== relation && (named.isBound || !scope.relations.includes(named)));
  });
}

export function relationOf(fields: readonly Node[], scope: Scope): Relation | undefined {
  const [first, second] = fields.map(nameOf);
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const { relations } = at;
    const found = second
      ? relations.find(({ alias }) => alias === first)
      : (relations.find(({ columns }) => columns?.has(first!)) ??
        relations.find(({ columns }) => !columns));
    if (found) return found;
  }
  return undefined;
}

/** Every node of a tree, but what is in its subqueries. */
export function nodesOf(tree: Node): Node[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const parts = tree.SubLink ? [tree.SubLink.testexpr] : Object.values(tree);
  return [tree, ...parts.flatMap(nodesOf)];
}

function itemsOf(expression: Node): Node[] {
  return expression?.RowExpr?.args ?? [expression];
}

export const nameOf = ({ String: text }: Node): string => text?.sval ?? '*';
export const stringOf = (text: string): Node => ({ String: { sval: text } });

const union = (sets: readonly Set<string>[]) => new Set(sets.flatMap((set) => [...set]));
