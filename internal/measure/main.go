// Command measure prints figures about the shape of the code: how many lines people have written of each kind, the
// lengths of functions and files, the share of exported names that are documented, the number of lines that are too
// long, the largest package, and the amount of repetition.
//
//	go run ./internal/measure [FOLDER]
//
// FOLDER may be another tree, such as one of an earlier commit. Generated code (*_templ.go) and testdata are left out,
// and tests from all figures but their own. No rule enforces the figures; an unusual one is a hint that a file or
// function may combine two ideas.
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
	kinds, err := countKinds(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	fmt.Print(kinds, measure(sources))
}
