delete from advisor_preference
where identity = @identity
