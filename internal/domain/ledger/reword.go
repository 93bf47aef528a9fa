package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// The most claims that one step replaces or brings, that come in the place of others in a session, and the longest of
// them, in code points.
const (
	MaxReworded   = 20
	MaxNewClaims  = 1000
	MaxClaimWords = 4000
)

// Rewording is what somebody wants to come in the place of claims: one claim for one writes it anew, several for one
// split it, one for several merges them.
type Rewording struct {
	Claims []int    `json:"claims"` // positions of the claims that are replaced
	Texts  []string `json:"texts"`  // of those that come in their place
	Reason string   `json:"reason,omitempty"`
}

// Reword sets claims aside and adds those that come in their place as the session's last ones, unjudged, with the type
// of the first and the highest importance of all (rule L-43). Opinions of the old ones are not taken over. It returns
// the positions of the new ones. Errors, after which the session is unchanged: Conflict if it is closed, Invalid or
// TooLarge otherwise, with the field as Path.
func (s *Session) Reword(in *Rewording, who access.Actor, newID func() string, at time.Time) ([]int, error) {
	texts, err := s.checkRewording(in)
	if err != nil {
		return nil, err
	}
	old := make([]Entry, len(in.Claims))
	for i, position := range in.Claims {
		old[i] = s.entry(s.Claim(position))
	}
	added := make([]int, len(texts))
	fresh := newlyWorded(texts, old, s.Answer)
	for i := range fresh {
		fresh[i].ID, fresh[i].Position = newID(), len(s.Claims)+i
		added[i] = fresh[i].Position
	}
	s.Claims = append(slices.Clip(s.Claims), fresh...)
	s.nameNew(len(added))
	for _, position := range in.Claims {
		s.appendOwn(position, Review{Action: Replace, Reason: strings.TrimSpace(in.Reason), Into: added}, who, newID, at)
	}
	s.step(s.sealed(), at)
	return added, nil
}

// checkRewording refuses what Reword does not allow, and returns the texts as they are stored.
func (s *Session) checkRewording(in *Rewording) ([]string, error) {
	if err := s.mayChangeClaims("claims"); err != nil {
		return nil, err
	}
	switch {
	case len(in.Claims) == 0:
		return nil, domain.Refuse(domain.Invalid, "claims", "refused_reword_none")
	case len(in.Claims) > MaxReworded:
		return nil, domain.Refuse(domain.TooLarge, "claims", "refused_reword_many", "N", MaxReworded)
	case len(in.Texts) > MaxReworded:
		return nil, domain.Refuse(domain.TooLarge, "texts", "refused_reword_many", "N", MaxReworded)
	case len([]rune(in.Reason)) > MaxReason:
		return nil, domain.Refuse(domain.TooLarge, "reason", "refused_text_longer_characters", "N", MaxReason)
	case s.newClaims()+len(in.Texts) > MaxNewClaims || len(s.Claims)+len(in.Texts) > MaxClaims:
		return nil, domain.Refuse(domain.TooLarge, "texts", "refused_reword_full", "N", MaxNewClaims)
	}
	for i, position := range in.Claims {
		path := "claims[" + strconv.Itoa(i) + "]"
		c := s.Claim(position)
		if c == nil || slices.Contains(in.Claims[:i], position) {
			return nil, domain.Refuse(domain.Invalid, path, "refused_listed_claim", "N", position+1)
		}
		if e := s.entry(c); e.State.Aside() {
			return nil, domain.Refuse(domain.Invalid, path, "refused_reword_aside", "N", position+1)
		}
	}
	return s.reworded(in)
}

// reworded returns the texts of a rewording as they are stored.
func (s *Session) reworded(in *Rewording) (out []string, err error) {
	for i, t := range in.Texts {
		t = text.OneLine(text.CleanControls(t))
		switch {
		case t == "":
			return nil, domain.Refuse(domain.Invalid, "texts", "refused_reword_empty")
		case text.Len(t) > MaxClaimWords:
			return nil, domain.Refuse(domain.TooLarge, "texts["+strconv.Itoa(i)+"]", "refused_text_longer_characters",
				"N", MaxClaimWords)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, domain.Refuse(domain.Invalid, "texts", "refused_reword_empty")
	}
	if len(in.Claims) == 1 && len(out) == 1 && plainText(s.Claim(in.Claims[0]).Text) == out[0] {
		return nil, domain.Refuse(domain.Invalid, "texts", "refused_reword_same")
	}
	return out, nil
}

// newClaims returns how many claims of the session came in the place of others.
func (s *Session) newClaims() (n int) {
	for i := range s.Claims {
		n += oneIf(len(s.Claims[i].Replaces) > 0)
	}
	return n
}

// newlyWorded returns the claims that come in the place of old ones, without ids, keys and positions.
func newlyWorded(texts []string, old []Entry, answer string) []Claim {
	out := make([]Claim, len(texts))
	for i := range out {
		c := &out[i]
		c.Text, c.Type, c.Importance, c.Span = texts[i], old[0].Type, old[0].Importance, placeWorded(texts[i], old, answer)
		for j := range old {
			o := old[j].Claim
			c.Replaces = append(c.Replaces, o.Position)
			c.RequiresCitation = c.RequiresCitation || o.RequiresCitation
			c.Since = max(c.Since, o.Since)
			if slices.Index(Importances, old[j].Importance) < slices.Index(Importances, c.Importance) {
				c.Importance = old[j].Importance
			}
		}
	}
	for i := range old {
		for _, x := range old[i].Claim.Citations {
			to := 0
			for j := range out {
				if out[j].Span != nil && out[j].Span.Start <= x.Span.Start {
					to = j
				}
			}
			out[to].Citations = append(out[to].Citations, x)
		}
	}
	return out
}

// placeWorded returns where the words of a new claim stand in the answer: among those of the claims that it replaces,
// else anywhere, else where the first of those stands that has a place; nil if none has.
func placeWorded(words string, old []Entry, answer string) *text.Span {
	var first *text.Span
	for i := range old {
		span := old[i].Claim.Span
		if span == nil {
			continue
		}
		if first == nil {
			first = span
		}
		if p := text.Place(words, text.Slice(answer, *span)); p.Kind == text.Exact || p.Kind == text.Normalised {
			return &text.Span{Start: span.Start + p.Span.Start, End: span.Start + p.Span.End}
		}
	}
	if p := text.Place(words, answer); p.Kind == text.Exact || p.Kind == text.Normalised {
		return &p.Span
	}
	if first == nil {
		return nil
	}
	return &text.Span{Start: first.Start, End: first.End}
}

// nameNew gives the last n claims a Key of their own.
func (s *Session) nameNew(n int) {
	taken := map[string]bool{}
	for i := range s.Claims {
		taken[s.Claims[i].Key] = true
	}
	for i := len(s.Claims) - n; i < len(s.Claims); i++ {
		key := ""
		for at := i + 1; key == "" || taken[key]; at++ {
			key = fmt.Sprintf("clm_%03d", at)
		}
		s.Claims[i].Key, taken[key] = key, true
	}
}

// appendOwn appends a review to a claim as a part of a step over several.
func (s *Session) appendOwn(position int, r Review, who access.Actor, newID func() string, at time.Time) {
	c := s.Claim(position)
	r.ID, r.Actor, r.Role, r.By, r.At = newID(), who.User, string(who.Role), who.ID, at
	c.Reviews = append(slices.Clip(c.Reviews), r)
}

// TakeBack undoes a rewording that brought or replaced the claim at a position: the old claims count again, as they
// were, and the new ones do not. Only whoever made it may, and only until somebody has reviewed a new claim. It returns
// the positions of both. Errors, after which the session is unchanged: NotFound, Conflict if the
// session is closed, Invalid otherwise.
func (s *Session) TakeBack(position int, who access.Actor, newID func() string, at time.Time) (old, added []int, err error) {
	if err := s.mayChangeClaims("claims"); err != nil {
		return nil, nil, err
	}
	if old, added, err = s.rewordingOf(position); err != nil {
		return nil, nil, err
	}
	if who.ID == "" || s.Claim(old[0]).ReplacedBy().By != who.ID {
		return nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_take_back_other")
	}
	for _, p := range added {
		if len(s.Claim(p).Reviews) > 0 {
			return nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_take_back_reviewed", "N", p+1)
		}
	}
	for _, p := range old {
		c := s.Claim(p)
		n := slices.IndexFunc(c.Reviews, func(r Review) bool { return r.ID == c.ReplacedBy().ID })
		s.appendOwn(p, Review{Action: Undo, Undoes: n + 1}, who, newID, at)
	}
	for _, p := range added {
		s.appendOwn(p, Review{Action: Replace, Into: old}, who, newID, at)
	}
	s.step(s.sealed(), at)
	return old, added, nil
}

// rewordingOf returns the claims of the rewording that brought or replaced the claim at a position.
func (s *Session) rewordingOf(position int) (old, added []int, err error) {
	c := s.Claim(position)
	if c == nil {
		return nil, nil, domain.Refuse(domain.NotFound, "", "refused_session_claim", "N", position+1)
	}
	if r := c.ReplacedBy(); r != nil && len(r.Into) > 0 {
		if c = s.Claim(r.Into[0]); c == nil {
			return nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_take_back_none")
		}
	}
	for _, p := range c.Replaces {
		o := s.Claim(p)
		if o == nil || o.ReplacedBy() == nil {
			return nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_take_back_none")
		}
		added = o.ReplacedBy().Into
	}
	if len(added) == 0 {
		return nil, nil, domain.Refuse(domain.Invalid, "claims", "refused_take_back_none")
	}
	return c.Replaces, added, nil
}

// MayTakeBack reports whether a person may undo the rewording that brought a claim, as far as its own reviews tell.
func (c *Claim) MayTakeBack() bool { return len(c.Replaces) > 0 && len(c.Reviews) == 0 }

// CallerJudges is why a claim that came in the place of others is unjudged where the caller gave the verdicts.
func CallerJudges() domain.Message { return words.Msg("note_reworded") }
