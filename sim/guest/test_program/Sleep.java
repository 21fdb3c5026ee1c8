public class Sleep {
  public static void main(String[] arguments) throws Exception {
    long start = System.currentTimeMillis();
    Thread.sleep(20_000);
    System.out.println((System.currentTimeMillis() - start + 500) / 1000);
  }
}
