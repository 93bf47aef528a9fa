package importers

// SessionFile returns an empty sanad.session/v1, from which the API description is generated.
func SessionFile() any { return sessionFile{} }

// DecisionFile returns an empty sanad.decision/v1, from which the API description is generated.
func DecisionFile() any { return decisionFile{} }
