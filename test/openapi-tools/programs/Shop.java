import java.time.LocalDate;
import java.util.*;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Shop {
  static void expect(Object found, Object wanted) {
    if (!Objects.equals(found, wanted)) throw new AssertionError(found + " is not " + wanted);
  }

  static ApiClient client(String url) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    String key = System.getenv("API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    return client;
  }

  public static void main(String[] args) throws Exception {
    ApiClient api = client(System.getenv("API_URL"));
    String email = System.getenv("EMAIL");
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("text", "Ọjà");
    metadata.put("whole", 1042);
    metadata.put("part", 1.5);
    metadata.put("flag", true);
    metadata.put("none", null);

    ChargesApi charges = new ChargesApi(api);
    CreateChargeBody body =
        new CreateChargeBody().amountKobo(3_000_000_000L).email(email).metadata(metadata);
    String reference = charges.createCharge(body, email, null).getReference();
    expect(charges.getCharge(reference).getAmountKobo(), 3_000_000_000L);

    LocalDate day = LocalDate.parse(System.getenv("DAY"));
    Set<TransactionStatus> unpaid =
        new LinkedHashSet<>(List.of(TransactionStatus.INITIATED, TransactionStatus.PENDING));
    List<Transaction> listed =
        new TransactionsApi(api)
            .listTransactions(
                1, null, day, day, unpaid, null, null, email, null, null, null, null, null)
            .getData();
    expect(listed.size(), 1);
    expect(listed.get(0).getReference(), reference);
    expect(listed.get(0).getMetadata(), metadata);

    RequestRefundBody wanted =
        new RequestRefundBody()
            .reference(System.getenv("PAID"))
            .amountKobo(10_000L)
            .reason("Returned");
    expect(new RefundsApi(api).requestRefund(wanted, null).getStatus(), RefundStatus.REQUESTED);

    EventsApi feed = new EventsApi(client(System.getenv("FEED_URL")));
    for (Event event : feed.listEvents(null, null, null).getData()) {
      Object one = event.getActualInstance();
      Object type = one.getClass().getMethod("getType").invoke(one);
      Object data = one.getClass().getMethod("getData").invoke(one);
      System.out.println(type + " " + data.getClass().getMethod("getId").invoke(data));
    }
  }
}
