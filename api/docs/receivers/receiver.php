<?php
// WEBHOOK_SECRET=whsec_… php -S localhost:8000 receiver.php

const OLDEST_SECONDS = 300;

/** True when these very bytes were signed with the endpoint's secret, and not long ago. */
function isGenuine(string $body, string $header, string $secret): bool
{
    preg_match('/(?:^|,)t=(\d+)/', $header, $time);
    preg_match_all('/(?:^|,)v1=([0-9a-f]{64})/', $header, $signatures);
    if (!$time || abs(time() - (int) $time[1]) > OLDEST_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, $secret);
    // While a secret is rotated there are several v1: one that fits is enough.
    return array_filter($signatures[1], fn ($given) => hash_equals($expected, $given)) !== [];
}

/** Slow work belongs here, not before the answer. */
function handle(array $event): void
{
    if ($event['type'] !== 'charge.succeeded') {
        return;
    }
    $orders = ['order-1042' => 250000]; // in your service a table
    ['merchant_reference' => $name, 'amount_kobo' => $paid] = $event['data'];
    $isRight = ($orders[$name] ?? null) === $paid;
    error_log($isRight ? "FULFIL $name" : "ALERT $paid kobo were paid for $name");
}

$body = file_get_contents('php://input'); // the bytes as they came: parsed and written again they would differ
if (!isGenuine($body, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', getenv('WEBHOOK_SECRET'))) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// In your service: insert the id into a table in which it is unique. What you answered 200 to is not sent again.
$isNew = @fopen(sys_get_temp_dir() . "/{$event['id']}", 'x') !== false;
http_response_code(200);
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the answer goes out now
}
if ($isNew) {
    handle($event);
}
