package evidence

// UnknownEvidenceID is the code of a violation: the answer names a pointer that was not in its prompt.
const UnknownEvidenceID = "UNKNOWN_EVIDENCE_ID"

// Violation is a fault of one pointer in an answer.
type Violation struct {
	Code      string `json:"code"`
	PointerID string `json:"pointer_id"`
}

// Check resolves the ids of an answer, pointers or evidence ids, in its map, in the order of the answer. Each unknown one is reported once.
// Nothing is guessed, so a claim with any violation is ungrounded (rule E-9).
func Check(objs []Object, pointerIDs []string) (found []Object, violations []Violation) {
	return check(ByID(objs), pointerIDs)
}

func check(index map[string]*Object, pointerIDs []string) (found []Object, violations []Violation) {
	seen := map[string]bool{}
	for _, id := range pointerIDs {
		if seen[id] {
			continue
		}
		seen[id] = true
		if o, ok := index[id]; ok {
			found = append(found, *o)
		} else {
			violations = append(violations, Violation{Code: UnknownEvidenceID, PointerID: id})
		}
	}
	return found, violations
}

// ClaimViolation is a violation with the number, from 1, of its claim.
type ClaimViolation struct {
	Violation
	Claim int `json:"claim"`
}

// CheckAnswer is Check for each claim of an answer. It also returns the numbers, from 1, of the ungrounded claims:
// those with a violation, and those that name no pointer.
func CheckAnswer(objs []Object, claims [][]string) (found [][]Object, violations []ClaimViolation, ungrounded []int) {
	found = make([][]Object, len(claims))
	index := ByID(objs)
	for i, ids := range claims {
		objects, faults := check(index, ids)
		found[i] = objects
		for _, v := range faults {
			violations = append(violations, ClaimViolation{v, i + 1})
		}
		if len(faults) > 0 || len(objects) == 0 {
			ungrounded = append(ungrounded, i+1)
		}
	}
	return found, violations, ungrounded
}
