package sessions

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// spanArgs returns the two columns of an optional span.
func spanArgs(sp *text.Span) (start, end any) {
	if sp == nil {
		return nil, nil
	}
	return sp.Start, sp.End
}

// FlagMask packs risk types: bit i is ledger.RiskTypes[i].
func FlagMask(types []ledger.RiskType) int {
	mask := 0
	for _, t := range types {
		mask |= flagBit(t)
	}
	return mask
}

func flagBit(t ledger.RiskType) int {
	for i, x := range ledger.RiskTypes {
		if x == t {
			return 1 << i
		}
	}
	return 0
}

// flagTypes unpacks flagMask.
func flagTypes(mask int) []ledger.RiskType {
	var out []ledger.RiskType
	for i, t := range ledger.RiskTypes {
		if mask&(1<<i) != 0 {
			out = append(out, t)
		}
	}
	return out
}
