-- A value of a property that holds the searched text, with the sessions that have an event with it.
select v.text as value, sum(s.sessions) as sessions
from temp.property_session s
join main.label v on v.id = s.value_id
where s.key_id = (select id from main.label where hash = text_hash(@property) and text = @property)
  and (@search is null or instr(fold(v.text), @search) > 0)
group by s.value_id
order by sum(s.sessions) desc, v.text
limit @limit
