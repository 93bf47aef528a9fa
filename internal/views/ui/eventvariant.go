package ui

// variant is the end of the id of an event's sentence where the action alone doesn't say what happened.
func (t *teller) variant() string {
	r := t.r
	switch r.Action {
	case "claim.reviewed":
		return t.reviewed()
	case "session.assigned":
		return seats(r)
	case "login.failed":
		return chosen(r.number("failures") > 1, "many", "")
	case "login.succeeded":
		return chosen(r.text("factors") != "", "by", "")
	case "login.switched":
		return chosen(r.flag("entered"), "here", "away")
	case "log.verified":
		return chosen(r.flag("ok"), "", "bad")
	case "user.totp_changed":
		return chosen(r.flag("on"), "on", "off")
	case "user.password_changed":
		return chosen(r.Actor == r.ObjectID, "own", "")
	case "tenant.changed":
		return r.setting()
	case "job.done":
		return chosen(r.text("session") != "", "session", "")
	case "pack.edited":
		return chosen(len(r.texts("parts")) > 0, "parts", "")
	case "passage.attached", "passage.detached":
		return chosen(r.text("from_verdict") == r.text("to_verdict"), "same", "")
	case "session.due_set", "pack.due_set":
		return chosen(r.text("was") != "", "moved", "")
	case "session.reassessed":
		return chosen(r.text("cause") != "", "counted", "")
	}
	return ""
}

// reviewed is the variant of a review.
func (t *teller) reviewed() string {
	r := t.r
	action := r.text("action")
	switch {
	case r.Sealed():
		return "sealed"
	case r.flag("adjudicates"):
		return "adjudicate"
	case action == "override" && r.review().From == "":
		return "override_to"
	case action == "":
		return "comment"
	}
	return action
}

// seats tells how many people a session was assigned to.
func seats(r *EventRow) string {
	switch {
	case r.text("first") != "" && r.text("second") != "":
		return "both"
	case r.text("first")+r.text("second") == "":
		return "nobody"
	case r.text("first") != "":
		return "first"
	}
	return "second"
}

// setting is the variant of a changed setting of the tenant.
func (r *EventRow) setting() string {
	if r.Facts == nil {
		return ""
	}
	for _, name := range []string{"second_admin", "second_factor", "freshness_months", "second_review", "time_zone", "name"} {
		switch on := r.Facts.Details[name].(type) {
		case nil:
		case bool:
			return name + chosen(name == "name", "", chosen(on, "_on", "_off"))
		default:
			return name
		}
	}
	return ""
}

func (r *EventRow) flag(name string) bool {
	if r.Facts == nil {
		return false
	}
	b, _ := r.Facts.Details[name].(bool)
	return b
}

// chosen returns a if yes, else b.
func chosen(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
