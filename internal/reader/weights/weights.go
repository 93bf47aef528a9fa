// Package weights has the weights of the reader that Sanad comes with. How they were made: internal/reader/train.
package weights

import _ "embed"

// File is the file that reader.Open reads. A string is part of the program's read-only memory: it is not copied.
//
//go:embed reader.bin
var File string
