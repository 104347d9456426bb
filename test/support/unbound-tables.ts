import { loadModule, parseSync } from 'libpg-query';
import {
  equality,
  givenBy,
  hasKey,
  missingHalf,
  type Node,
  nameOf,
  nodesOf,
  type Relation,
  relationOf,
  type Scope,
  stringOf,
} from './given-columns.ts';
import type { Tables } from './tenant-keys.ts';

await loadModule();

type Columns = ReadonlySet<string> | undefined;
type Named = ReadonlyMap<string, Columns>;

interface Condition {
  expression: Node;
  about: readonly Relation[];
}

/**
 * The tables of a statement whose rows may be of any tenant or mode, with their aliases. A table is
 * bound where its tenant and mode, or a key of it, are equal to parameters, to columns of bound
 * rows, or to what a subquery returns; each query in the statement is read in this way.
 */
export function unboundTables(text: string, tables: Tables): string[] {
  const unbound = new Set<string>();
  for (const { stmt } of parseSync(text).stmts ?? []) readStatement(stmt, new Map());
  return [...unbound];

  function readStatement(statement: Node, names: Named, outer?: Scope): Columns {
    const [kind, node] = Object.entries<Node>(statement)[0]!;
    const known = new Map(names);
    for (const { CommonTableExpr: cte } of node.withClause?.ctes ?? []) {
      if (node.withClause.recursive) known.set(cte.ctename, undefined);
      known.set(cte.ctename, renamed(readStatement(cte.ctequery, known, outer), cte.aliascolnames));
    }
    const target = { RangeVar: node.relation };
    switch (kind) {
      case 'SelectStmt':
        return readSelect(node, known, outer);
      case 'UpdateStmt':
        return readRows(node, [target, ...(node.fromClause ?? [])], known, outer);
      case 'DeleteStmt':
        return readRows(node, [target, ...(node.usingClause ?? [])], known, outer);
      case 'InsertStmt':
        return readInsert(node, known, outer);
      case 'CopyStmt':
      case 'MergeStmt':
        throw new Error(`${kind} is not read:\n${text}`);
      default:
        return undefined; // about no rows
    }
  }

  function readSelect(node: Node, names: Named, outer?: Scope): Columns {
    if (node.op === 'SETOP_NONE') return readRows(node, node.fromClause ?? [], names, outer);
    const [columns] = [node.larg, node.rarg].map((side) =>
      readStatement({ SelectStmt: side }, names, outer),
    );
    return columns;
  }

  /** Rows that it finds in the way of new ones are found by a key. */
  function readInsert(node: Node, names: Named, outer?: Scope): Columns {
    if (node.selectStmt) readStatement(node.selectStmt, names, outer);
    const inserted = { ...tableOrQuery(node.relation, names), isBound: true };
    const { table, name, columns } = inserted;
    const { action, infer } = node.onConflictClause ?? {};
    const found = new Set<string>(infer?.indexElems.map(({ IndexElem }: Node) => IndexElem.name));
    if (table && action === 'ONCONFLICT_UPDATE' && !hasKey(table, found)) unbound.add(name);
    const excluded = { alias: 'excluded', name, columns, isBound: true };
    const scope = { relations: [inserted, excluded], outer };
    readSubqueries([node.onConflictClause, node.returningClause], names, scope);
    return columnsOf(node.returningClause?.exprs, scope);
  }

  function readRows(node: Node, from: readonly Node[], names: Named, outer?: Scope): Columns {
    const scope: Scope = { relations: [], outer };
    const conditions: Condition[] = [];
    for (const item of from) readFrom(item, scope, conditions, names);
    if (node.whereClause) conditions.push({ expression: node.whereClause, about: scope.relations });
    for (const table of bind(scope, conditions)) unbound.add(table);
    const { fromClause: _, usingClause: __, withClause: ___, ...expressions } = node;
    readSubqueries([expressions, conditions], names, scope);
    return columnsOf(node.returningClause?.exprs ?? node.targetList, scope);
  }

  function readFrom(
    item: Node,
    scope: Scope,
    conditions: Condition[],
    names: Named,
  ): readonly Relation[] {
    if (!item.JoinExpr) {
      const relation = readRelation(item, scope, names);
      scope.relations.push(relation);
      return [relation];
    }
    const { larg, rarg, quals, usingClause, jointype } = item.JoinExpr;
    const left = readFrom(larg, scope, conditions, names);
    const right = readFrom(rarg, scope, conditions, names);
    const both = [...left, ...right];
    const restricted = { JOIN_INNER: both, JOIN_LEFT: right, JOIN_RIGHT: left };
    const about = restricted[jointype as keyof typeof restricted] ?? [];
    const shared = (usingClause ?? []).map((column: Node) => sameColumn(column, left, right));
    for (const expression of [...shared, ...(quals ? [quals] : [])])
      conditions.push({ expression, about });
    return both;
  }

  function readRelation(item: Node, scope: Scope, names: Named): Relation {
    if (item.RangeVar) return tableOrQuery(item.RangeVar, names);
    const { alias, subquery, functions } = item.RangeSubselect ?? item.RangeFunction;
    readSubqueries(functions, names, scope);
    const columns = subquery && readStatement(subquery, names, scope);
    return made(alias?.aliasname ?? '', renamed(columns, alias?.colnames));
  }

  function tableOrQuery({ relname, schemaname, alias }: Node, names: Named): Relation {
    const called = alias?.aliasname ?? relname;
    if (names.has(relname)) return made(called, names.get(relname));
    const isOurs = (schemaname ?? 'public') === 'public';
    const table = isOurs ? tables.get(relname.replace(PARTITION, '')) : undefined;
    if (!table) return made(called);
    const name = alias ? `${relname} ${called}` : relname;
    return { alias: called, name, table, columns: table.columns, isBound: false };
  }

  function readSubqueries(expressions: Node, names: Named, scope: Scope): void {
    for (const { SubLink } of nodesOf(expressions))
      if (SubLink) readStatement(SubLink.subselect, names, scope);
  }
}

const PARTITION = /_(default|\d{8})$/;

function made(alias: string, columns?: Columns): Relation {
  return { alias, name: alias, columns, isBound: true };
}

function renamed(columns: Columns, names?: readonly Node[]): Columns {
  return names ? new Set(names.map(nameOf)) : columns;
}

/** Binds each table of which a key is given, until no more follow from those; names the others. */
function bind(scope: Scope, conditions: readonly Condition[]): string[] {
  const unbound = () => scope.relations.filter(({ isBound }) => !isBound);
  for (;;) {
    const next = unbound().find((relation) => hasKey(relation.table!, givenTo(relation)));
    if (!next) return unbound().map(nameUnbound);
    next.isBound = true;
  }

  function givenTo(relation: Relation): Set<string> {
    const about = conditions.filter((condition) => condition.about.includes(relation));
    const args = about.map(({ expression }) => expression);
    return givenBy({ BoolExpr: { boolop: 'AND_EXPR', args } }, relation, scope);
  }

  function nameUnbound(relation: Relation): string {
    const half = missingHalf(relation.table!, givenTo(relation));
    return half ? `${relation.name} without ${half}` : relation.name;
  }
}

/** The condition that `using (column)` stands for. */
function sameColumn(column: Node, ...sides: (readonly Relation[])[]): Node {
  const [left, right] = sides.map((side) => {
    const { alias } = side.find(({ columns }) => columns?.has(nameOf(column))) ?? side[0]!;
    return { ColumnRef: { fields: [stringOf(alias), column] } };
  });
  return equality(left, right);
}

function columnsOf(targets: readonly Node[] | undefined, scope: Scope): Columns {
  const columns = new Set<string>();
  for (const { ResTarget } of targets ?? []) {
    const fields: Node[] = ResTarget.val.ColumnRef?.fields ?? [];
    if (!fields.at(-1)?.A_Star) {
      columns.add(ResTarget.name ?? (fields.length > 0 ? nameOf(fields.at(-1)) : ''));
      continue;
    }
    const starred = fields.length > 1 ? [relationOf(fields, scope)] : scope.relations;
    for (const relation of starred) {
      if (!relation?.columns) return undefined;
      for (const column of relation.columns) columns.add(column);
    }
  }
  return columns;
}
