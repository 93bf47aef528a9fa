// Command measure prints figures about the shape of the code: the lengths of functions and files, the share of exported
// names that are documented, the number of lines that are too long, the largest package, and the amount of repetition.
//
//	go run ./internal/measure [FOLDER]
//
// Tests, generated code (*_templ.go) and testdata are left out. No rule enforces the figures; an unusual one is a hint
// that a file or function may combine two ideas.
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
