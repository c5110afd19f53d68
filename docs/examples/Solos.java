// ddzbot rules check "java Solos.java". It lists the solos alone: put your generator here.
import java.util.*;

class Solos {
    public static void main(String[] words) {
        String ranks = "3456789TJQKA2LB";
        for (Scanner lines = new Scanner(System.in); lines.hasNextLine();) {
            String[] parts = lines.nextLine().split("\"");
            String hand = parts[3], table = parts[7];
            List<String> moves = new ArrayList<>(table.isEmpty() ? List.of() : List.of("\"pass\""));
            for (String card : ranks.split(""))
                if (hand.contains(card) && (table.isEmpty() || table.length() == 1 && ranks.indexOf(card) > ranks.indexOf(table)))
                    moves.add('"' + card + '"');
            System.out.println("[" + String.join(",", moves) + "]");
        }
    }
}
