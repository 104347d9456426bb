import { Migration } from '@mikro-orm/migrations';

/** One index for every list of an endpoint's deliveries: each of them costs every claim and every record. */
export class Migration0008DeliveryIndexes extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'drop index deliveries_endpoint',
  'drop index deliveries_undelivered',
  'create index deliveries_endpoint on deliveries (endpoint_id, status, id)',
];
