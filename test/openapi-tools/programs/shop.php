<?php

require getenv('GUZZLE');
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\Client\\';
    if (str_starts_with($class, $prefix))
        require __DIR__ . '/lib/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
});

use OpenAPI\Client\Api\ChargesApi;
use OpenAPI\Client\Api\RefundsApi;
use OpenAPI\Client\Api\TransactionsApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateChargeBody;
use OpenAPI\Client\Model\RequestRefundBody;
use OpenAPI\Client\ObjectSerializer;

function expect(mixed $found, mixed $wanted): void
{
    if ($found !== $wanted) throw new Exception(var_export($found, true));
}

$api = (new Configuration())->setHost(getenv('API_URL'))->setAccessToken(getenv('API_KEY'));
$email = getenv('EMAIL');
$day = getenv('DAY');
$metadata = ['text' => 'Ọjà', 'whole' => 1042, 'part' => 1.5, 'flag' => true, 'none' => null];

$charges = new ChargesApi(null, $api);
$body = new CreateChargeBody(['amount_kobo' => 3_000_000_000, 'email' => $email, 'metadata' => $metadata]);
$reference = $charges->createCharge($body, $email)->getReference();
expect($charges->getCharge($reference)->getAmountKobo(), 3_000_000_000);

$listed = (new TransactionsApi(null, $api))
    ->listTransactions(1, null, $day, $day, ['initiated', 'pending'], null, null, $email)
    ->getData();
expect(count($listed), 1);
expect($listed[0]->getReference(), $reference);
expect($listed[0]->getMetadata(), $metadata);

$wanted = ['reference' => getenv('PAID'), 'amount_kobo' => 10_000, 'reason' => 'Returned'];
$refund = (new RefundsApi(null, $api))->requestRefund(new RequestRefundBody($wanted));
expect((string) $refund->getStatus(), 'requested');

// The generator decodes no union by its discriminator: the type names the class.
foreach (json_decode(file_get_contents(getenv('FEED_URL') . '/events'))->data as $one) {
    $class = str_replace(' ', '', ucwords(str_replace('.', ' ', $one->type))) . 'Event';
    $event = ObjectSerializer::deserialize($one, "OpenAPI\\Client\\Model\\$class");
    echo $event->getType(), ' ', $event->getData()->getId(), "\n";
}
