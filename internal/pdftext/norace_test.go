//go:build !race

package pdftext_test

const raced = false
