import { ApiKey } from './accounts/entities/api-key.ts';
import { AuditEntry } from './accounts/entities/audit-entry.ts';
import { Connection, ConnectionTask } from './accounts/entities/connection.ts';
import { Credential } from './accounts/entities/credential.ts';
import { DashboardSession } from './accounts/entities/dashboard-session.ts';
import { IdempotencyKey } from './accounts/entities/idempotency-key.ts';
import { Member, MemberLink, RecoveryCode } from './accounts/entities/member.ts';
import { RequestLogEntry } from './accounts/entities/request-log-entry.ts';
import { FormerTimeZone, Tenant, TenantLogo } from './accounts/entities/tenant.ts';
import { TokenFamily, UserToken } from './accounts/entities/token.ts';
import { AccountCode } from './journal/entities/account-code.ts';
import { BalanceSnapshot, SnapshotPosition } from './journal/entities/balance-snapshot.ts';
import { Posting } from './journal/entities/posting.ts';
import { Mail } from './mail/entities/mail.ts';
import { Attempt } from './payments/entities/attempt.ts';
import { Capture } from './payments/entities/capture.ts';
import { Charge } from './payments/entities/charge.ts';
import { CustomerWord } from './payments/entities/customer-word.ts';
import { Dispute } from './payments/entities/dispute.ts';
import { DisputeResponse } from './payments/entities/dispute-response.ts';
import { DailyFigures, FigureChange } from './payments/entities/figures.ts';
import { Notification } from './payments/entities/notification.ts';
import { PaymentLink } from './payments/entities/payment-link.ts';
import { PlannedDay, PlannedDayChange } from './payments/entities/planned-day.ts';
import { Refund } from './payments/entities/refund.ts';
import { ListedRefund, RefundListing } from './payments/entities/refund-listing.ts';
import { Review } from './payments/entities/review.ts';
import { Evidence, TimelineEntry } from './payments/entities/timeline.ts';
import { Discrepancy } from './settlements/entities/discrepancy.ts';
import { Settlement, SettlementDeduction } from './settlements/entities/settlement.ts';
import { SettlementLine } from './settlements/entities/settlement-line.ts';
import { Delivery, DeliveryTry } from './webhooks/entities/delivery.ts';
import { WebhookEndpoint } from './webhooks/entities/endpoint.ts';
import { Event, EventFeed } from './webhooks/entities/event.ts';

export const entities = [
  Tenant,
  FormerTimeZone,
  TenantLogo,
  Member,
  MemberLink,
  RecoveryCode,
  TokenFamily,
  UserToken,
  DashboardSession,
  ApiKey,
  Credential,
  Connection,
  ConnectionTask,
  IdempotencyKey,
  AuditEntry,
  RequestLogEntry,
  Mail,
  Posting,
  AccountCode,
  BalanceSnapshot,
  SnapshotPosition,
  Charge,
  CustomerWord,
  Attempt,
  Capture,
  PlannedDay,
  PlannedDayChange,
  TimelineEntry,
  Evidence,
  PaymentLink,
  DailyFigures,
  FigureChange,
  Notification,
  Refund,
  RefundListing,
  ListedRefund,
  Dispute,
  DisputeResponse,
  Review,
  WebhookEndpoint,
  Event,
  EventFeed,
  Delivery,
  DeliveryTry,
  Settlement,
  SettlementDeduction,
  SettlementLine,
  Discrepancy,
];
