// The same three calls with java.net.http of the JDK.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Pattern;

public class Client {
  static final HttpClient http = HttpClient.newHttpClient();

  static HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
    var credentials = System.getenv("CLIENT_ID") + ":" + System.getenv("CLIENT_SECRET");
    var request = HttpRequest.newBuilder(URI.create(System.getenv("BASE") + path))
        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (type != null) request.header("Content-Type", type);
    return http.send(request.build(), BodyHandlers.ofString());
  }

  static String member(String json, String name) {
    var match = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(json);
    return match.find() ? match.group(1) : json;
  }

  public static void main(String[] args) throws Exception {
    var list = send("GET", "/transactions?status%5B%5D=FAILED&status%5B%5D=REJECTED", null, null);
    var file = "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country\n"
        + "$java@clients.example,java,INDIVIDUAL,Ada Ro,1980-01-01,1 Main St,Austin,TX,78701,US\n";
    var form = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"customers.csv\"\r\n"
        + "Content-Type: text/csv\r\n\r\n" + file + "\r\n--b--\r\n";
    var upload = send("POST", "/customers/bulk/csv", "multipart/form-data; boundary=b", form);
    var quote = "{\"source\":{\"sourceType\":\"ACCOUNT\",\"accountId\":\"" + System.getenv("ACCOUNT") + "\"},"
        + "\"destination\":{\"destinationType\":\"ACCOUNT\",\"accountId\":\"" + System.getenv("PAYEE") + "\"},"
        + "\"lockedCurrencySide\":\"SENDING\",\"lockedCurrencyAmount\":1000,\"immediatelyExecute\":true}";
    var payment = send("POST", "/quotes", "application/json", quote);
    System.out.println(member(list.body(), "totalCount") + " " + upload.statusCode() + " " + member(payment.body(), "status"));
  }
}
