package ledger

// Identify sets the id of every part of a new session to one from next, in a fixed order, so that the same sequence of
// ids yields the same session. Ids that are already set are kept.
func (s *Session) Identify(next func() string) {
	set := func(id *string) {
		if *id == "" {
			*id = next()
		}
	}
	set(&s.ID)
	set(&s.LedgerID)
	set(&s.Run.ID)
	for i := range s.Documents {
		set(&s.Documents[i].ID)
		for j := range s.Documents[i].Chunks {
			set(&s.Documents[i].Chunks[j].ID)
		}
	}
	for i := range s.Claims {
		set(&s.Claims[i].ID)
		for j := range s.Claims[i].Reviews {
			set(&s.Claims[i].Reviews[j].ID)
		}
	}
}
