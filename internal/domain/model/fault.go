package model

import "strings"

// faultWords says which sentence explains a fault, by its code. Codes of the same cause and mend have one sentence.
var faultWords = map[string]string{
	"forbidden": "forbidden", "certificate": "certificate", "tls": "tls", "timeout": "timeout",
	"connection": "connection", "cut": "cut", "cancelled": "cancelled", "untried": "untried",
	"status 401": "key", "status 403": "key", "status 404": "path", "status 408": "busy", "status 429": "busy",
	"too long": "too_long", "malformed": "malformed", "error inside": "inside", "refusal": "refusal", "token limit": "token_limit",
	"answer": "answer", "scores": "scores", "labels": "labels",
}

// FaultWord names the sentence that says what a fault's code means and what mends it, as mdl_fault_ of the catalogue
// has it.
func FaultWord(code string) string {
	if word, known := faultWords[code]; known {
		return word
	}
	switch s, status := strings.CutPrefix(code, "status "); {
	case status && strings.HasPrefix(s, "3"):
		return "redirect"
	case status && strings.HasPrefix(s, "5"):
		return "server"
	case status:
		return "request"
	}
	return "answer"
}

// So many faults in a row, and a run does not ask an endpoint any more (rule J-10).
const (
	MostFaults  = 8
	MostLasting = 3 // of those that neither a wait nor another try mends
)

// lasting are the sentences of faults that stay until somebody mends something.
var lasting = map[string]bool{
	"forbidden": true, "certificate": true, "tls": true, "connection": true, "key": true, "path": true,
	"redirect": true,
}

// Lasting reports whether a fault, by its code, stays until somebody mends something.
func Lasting(code string) bool { return lasting[FaultWord(code)] }
