<?php
// PAYMENTS_KEY=svc_sk_test_… WEBHOOK_SECRET=whsec_… php -S localhost:3000 shop.php

const API = '{PUBLIC_URL}/v1';
const OLDEST_SECONDS = 300;
define('KEY', getenv('PAYMENTS_KEY') ?: throw new Exception('Set PAYMENTS_KEY'));
define('SECRET', getenv('WEBHOOK_SECRET') ?: throw new Exception('Set WEBHOOK_SECRET'));

function ask(string $method, string $path, ?array $body = null, string $key = ''): array
{
    $options = [
        'method' => $method,
        'header' => [
            'Authorization: Bearer ' . KEY,
            'Content-Type: application/json',
            ...($key ? ["Idempotency-Key: $key"] : []),
        ],
        'content' => $body ? json_encode($body) : '',
        'timeout' => 30,
    ];
    $answer = @file_get_contents(API . $path, false, stream_context_create(['http' => $options]));
    return json_decode($answer ?: throw new Exception("$method $path: " . error_get_last()['message']), true);
}

/** Hands out the orders to `$change`, one request after the other. In your shop a table. */
function orders(callable $change): mixed
{
    $file = fopen(sys_get_temp_dir() . '/orders.json', 'c+');
    flock($file, LOCK_EX);
    $orders = json_decode(stream_get_contents($file), true) ?? [];
    $result = $change($orders);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($orders));
    fclose($file);
    return $result;
}

/** The order of this id: however often it is sent, there is one, and one charge. */
function buy(string $id): string
{
    $order = orders(function (array &$orders) use ($id) {
        return $orders[$id] ??= ['amount_kobo' => 250000, 'status' => 'not paid yet', 'charge' => null];
    });
    $charge = ask('POST', '/charges', [
        'amount_kobo' => $order['amount_kobo'],
        'email' => 'ada@example.com', // whoever is signed in
        'reference' => $id,
        'return_url' => (getenv('SHOP_URL') ?: "http://{$_SERVER['HTTP_HOST']}") . "/orders/$id",
    ], $id);
    orders(function (array &$orders) use ($id, $charge) {
        $orders[$id]['charge'] = $charge['reference'];
    });
    return $charge['checkout_url'];
}

/** Learnt from the webhook and by look-up, in any order and more than once: acts once. */
function recordPayment(array $transaction): void
{
    orders(function (array &$orders) use ($transaction) {
        ['merchant_reference' => $id, 'amount_kobo' => $paid] = $transaction;
        if (($orders[$id]['status'] ?? null) !== 'not paid yet') {
            return;
        }
        $isRight = $paid === $orders[$id]['amount_kobo'];
        $orders[$id]['status'] = $isRight ? 'paid' : 'being looked at';
        error_log($isRight ? "FULFIL $id" : "ALERT $paid kobo were paid for $id");
    });
}

/** The payer is back, or looks again. The address proves nothing, so the service is asked. */
function statusOf(string $id): ?string
{
    $find = fn (array $orders) => $orders[$id] ?? null;
    $order = orders($find);
    if ($order && $order['charge'] && $order['status'] === 'not paid yet') {
        $transaction = ask('GET', "/charges/{$order['charge']}")['transaction'];
        if (in_array($transaction['status'] ?? null, ['succeeded', 'settled'])) {
            recordPayment($transaction);
        }
    }
    return orders($find)['status'] ?? null;
}

/** True when these very bytes were signed with the endpoint's secret, and not long ago. */
function isGenuine(string $body, string $header): bool
{
    preg_match('/(?:^|,)t=(\d+)/', $header, $time);
    preg_match_all('/(?:^|,)v1=([0-9a-f]{64})/', $header, $signatures);
    if (!$time || abs(time() - (int) $time[1]) > OLDEST_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, SECRET);
    // While a secret is rotated there are several v1: one that fits is enough.
    return array_filter($signatures[1], fn ($given) => hash_equals($expected, $given)) !== [];
}

function receive(): void
{
    $body = file_get_contents('php://input'); // the bytes as they came: parsed and written again they would differ
    if (!isGenuine($body, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '')) {
        http_response_code(400);
        return;
    }
    $event = json_decode($body, true);
    if ($event['type'] === 'charge.succeeded') {
        recordPayment($event['data']);
    }
    // 200 once it is kept: what you answered 200 to is not sent again.
}

$path = strtok($_SERVER['REQUEST_URI'], '?');
$isPost = $_SERVER['REQUEST_METHOD'] === 'POST';
$id = preg_match('#^/orders/([0-9a-f-]{36})$#', $path, $found) ? $found[1] : null;
try {
    if ($path === '/hooks') {
        receive();
    } elseif ($path === '/') {
        $id = bin2hex(random_bytes(18));
        echo "<h1>Rice, 5 kg</h1><form method='post' action='/orders/$id'><button>Buy for ₦2,500</button></form>";
    } elseif ($id && $isPost) {
        header('Location: ' . buy($id), true, 303);
    } elseif ($id && $status = statusOf($id)) {
        echo "<h1>Your order is $status.</h1><a href=''>Look again</a>";
    } else {
        http_response_code(404);
        echo 'There is no such page.';
    }
} catch (Exception $error) {
    error_log($error->getMessage());
    http_response_code(502);
    echo 'That did not work. Send it again: you pay once.';
}
