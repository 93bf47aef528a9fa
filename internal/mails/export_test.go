package mails

// Sending returns how many attempts are in progress.
func (p *Post) Sending() int64 { return p.sending.Load() }
