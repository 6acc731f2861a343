delete from temp.period

