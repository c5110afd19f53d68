// rustc -O solos.rs; then: ddzbot rules check ./solos. It lists the solos alone: put your generator here.
use std::io::{stdin, BufRead};

fn main() {
    let ranks = "3456789TJQKA2LB";
    for line in stdin().lock().lines().map(|line| line.unwrap()) {
        let parts: Vec<&str> = line.split('"').collect();
        let (hand, table) = (parts[3], parts[7]);
        let solos = ranks.chars().filter(|&card| hand.contains(card));
        let higher = solos.filter(|&card| table.is_empty() || table.len() == 1 && ranks.find(card) > ranks.find(table));
        let pass = if table.is_empty() { vec![] } else { vec!["pass".to_string()] };
        let moves: Vec<String> = pass.into_iter().chain(higher.map(String::from)).collect();
        println!("{:?}", moves);
    }
}
