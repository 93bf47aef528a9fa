// Command measure prints figures about the shape of the code: how long functions and files are, how much of what is
// exported is documented, how many lines are too long, which package is the largest, and how much is written twice.
//
//	go run ./internal/measure [FOLDER]
//
// Tests, generated code (*_templ.go) and testdata are left out. The figures hold no rule: one that is far off asks
// whether two ideas live in one place.
package main

import (
	"fmt"
	"os"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	sources, err := readSources(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	fmt.Print(measure(sources))
}
