import { Migration } from '@mikro-orm/migrations';

/**
 * What bounds the questions that notifications cause: when a notification last came and was last done with; for each attempt and each
 * thing to be told of it, when a notification last had it asked, and when the last question was put that was answered. (Of the payment
 * itself that is `verified_at`.)
 */
export class Migration0005NotifiedQuestions extends Migration {
  override up(): void {
    this.addSql(
      'alter table notifications add column arrived_at timestamptz, add column processed_at timestamptz',
    );
    for (const column of [
      'notified_at',
      'refunds_notified_at',
      'refunds_verified_at',
      'disputes_notified_at',
      'disputes_verified_at',
    ]) {
      this.addSql(`alter table attempts add column ${column} timestamptz`);
    }
  }
}
