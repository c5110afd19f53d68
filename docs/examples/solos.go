// go build solos.go; then: ddzbot rules check ./solos. It lists the solos alone: put your generator here.
package main

import ("bufio"; "encoding/json"; "fmt"; "os"; "strings")

func main() {
	const ranks = "3456789TJQKA2LB"
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var q struct{ Hand, To_beat string }
		json.Unmarshal(lines.Bytes(), &q)
		moves := []string{}
		if q.To_beat != "" { moves = append(moves, "pass") }
		for rank, card := range ranks {
			if strings.ContainsRune(q.Hand, card) && (q.To_beat == "" || len(q.To_beat) == 1 && rank > strings.Index(ranks, q.To_beat)) {
				moves = append(moves, string(card))
			}
		}
		text, _ := json.Marshal(moves)
		fmt.Println(string(text))
	}
}
